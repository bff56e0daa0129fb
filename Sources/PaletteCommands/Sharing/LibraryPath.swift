/// The path of a request, as the library that it names and what is asked of that.
///
/// A process that serves libraries by name has each beneath `/l/NAME`, where it answers as a process with one
/// library does at its root.
package struct LibraryPath: Equatable {
  /// The name of the library; nil in a path that names none.
  package let name: String?
  /// The path beneath the library, from its slash on; empty for `/l/NAME` alone.
  package let rest: String

  private static let prefix = "/l/"

  package init(_ path: String) {
    let named = path.hasPrefix(Self.prefix) ? path.dropFirst(Self.prefix.count) : ""
    let name = named.prefix { $0 != "/" }
    guard Self.isName(name) else {
      self.name = nil
      rest = path
      return
    }
    self.name = String(name)
    rest = String(named.dropFirst(name.count))
  }

  /// The path at which a library is served; nothing comes before a route's path where it has no name.
  package static func base(of name: String) -> String { prefix + name }

  /// Returns whether a text may stand before the path of a route: nothing, or the path of a library.
  package static func isBase(_ text: Substring) -> Bool {
    text.isEmpty || Self(String(text)).rest.isEmpty
  }

  /// Returns whether a text may name a library: 1 to 63 of a-z, 0-9 and `-`, with a letter or digit at both ends.
  package static func isName(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return (1...63).contains(bytes.count) && bytes.first != hyphen && bytes.last != hyphen
      && bytes.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == hyphen }
  }

  private static let hyphen = UInt8(ascii: "-")
}
