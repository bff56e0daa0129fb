/// One header of an HTTP message.
package struct HTTPField: Equatable, Sendable {
  /// The name, in lower case.
  package let name: String
  /// The value.
  package let value: String

  /// Creates a field; characters that could end it early are replaced by spaces.
  package init(_ name: String, _ value: String) {
    self.name = Self.cleaned(name)
    self.value = Self.cleaned(value)
  }

  private static func cleaned(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 || $0 == 127 }) else { return text }
    let bytes = text.utf8.map { $0 < 32 || $0 == 127 ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
