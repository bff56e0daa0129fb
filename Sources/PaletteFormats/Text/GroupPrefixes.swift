/// The groups of a file, by the beginnings of the names in them, each of which ends in a slash.
struct GroupPrefixes {
  private let prefixes: Set<[UInt8]>

  /// Takes the beginnings of names; empty ones are of no group.
  init(_ prefixes: some Sequence<String>) {
    self.prefixes = Set(prefixes.lazy.filter { !$0.isEmpty }.map { Array($0.utf8) })
  }

  /// True if the file has no group.
  var isEmpty: Bool { prefixes.isEmpty }

  /// Finds the innermost group to which a name belongs.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - mayBeWhole: Whether a name belongs to a group, too, that is the beginning and nothing else.
  /// - Returns: The group's beginning; empty where the name is in none.
  func home(of name: String, mayBeWhole: Bool = false) -> String {
    let bytes = Array(name.utf8)
    var rest = mayBeWhole ? bytes[...] : bytes.dropLast()
    while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
      let prefix = bytes[...slash]
      if prefixes.contains(Array(prefix)) { return String(decoding: prefix, as: UTF8.self) }
      rest = rest[..<slash]
    }
    return ""
  }
}
