/// The head of a request as it came in, before libwebsockets reads it.
///
/// libwebsockets takes a name with a blank before its colon for a header that nobody knows, and a line
/// without a colon for the start of the next one's name. A proxy that reads such a head as a request
/// with a body would send what this side reads as two requests (RFC 9112, 5.1, 5.2 and 6.3).
enum RequestHead {
  /// What is known about a head.
  enum Verdict: Equatable {
    /// Its end is not there yet.
    case incomplete
    /// There is one way to read it.
    case clear
    /// Readers differ about where the request ends.
    case ambiguous
  }

  /// Judges the bytes from the start of a request on; what follows the head does not count.
  static func verdict(on bytes: [UInt8]) -> Verdict {
    var rest = bytes[...]
    guard takeLine(&rest) != nil else { return .incomplete }
    var lengths = 0
    var encodings = 0
    var isAmbiguous = false
    while let line = takeLine(&rest) {
      if line.isEmpty {
        return isAmbiguous || lengths + encodings > 1 ? .ambiguous : .clear
      }
      guard let name = name(of: line) else {
        isAmbiguous = true
        continue
      }
      if name == "content-length" { lengths += 1 }
      if name == "transfer-encoding" { encodings += 1 }
    }
    return .incomplete
  }

  /// The next line without its end, or nil when its end is not there yet.
  private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    var line = rest[..<end]
    rest = rest[(end + 1)...]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return line
  }

  /// The name of a header in lower case; nil for a line that is none.
  private static func name(of line: ArraySlice<UInt8>) -> String? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
      line[..<colon].allSatisfy(\.isNameByte), !line.contains(UInt8(ascii: "\r"))
    else { return nil }
    return String(decoding: line[..<colon], as: UTF8.self).lowercased()
  }
}

extension UInt8 {
  /// Whether the byte may be part of a header's name (RFC 9110, 5.6.2).
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
