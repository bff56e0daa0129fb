/// The reason why a text is not a JSON document, and the place.
public struct JSONParseError: Error, Equatable, Sendable {
  /// The failure, as the end of a sentence.
  public let reason: String
  /// The index of the first byte that cannot be read.
  public let offset: Int
  /// The line of that byte, from 1.
  public let line: Int
  /// The byte's place in its line, from 1.
  public let column: Int

  /// Creates the error for one byte of a document.
  init(_ reason: String, at offset: Int, in document: [UInt8]) {
    self.reason = reason
    self.offset = offset
    let before = document.prefix(offset)
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
  }
}

extension JSONParseError: CustomStringConvertible {
  /// The reason with its position.
  public var description: String { "\(reason) at line \(line), column \(column)" }
}
