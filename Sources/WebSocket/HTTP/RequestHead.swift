/// The head of a request as it came in, before libwebsockets reads it.
///
/// libwebsockets takes a name with a blank before its colon for a header that nobody knows, and a line
/// without a colon for the start of the next one's name. A proxy that reads such a head as a request
/// with a body would send what this side reads as two requests (RFC 9112, 5.1, 5.2 and 6.3).
///
/// It is read as it arrives, each byte once: whoever sends it byte by byte makes no more work than others.
struct RequestHead {
  /// What is known about a head.
  enum Verdict: Equatable {
    /// Its end is not there yet.
    case incomplete
    /// There is one way to read it.
    case clear
    /// Readers differ about where the request ends.
    case ambiguous
  }

  /// The start of the line whose end has not been found.
  private var lineStart = 0
  /// The number of bytes in which its end was looked for.
  private(set) var readCount = 0
  /// The target in the request line; empty before the whole line is there, and where it is none.
  private(set) var target = ""
  /// True behind the request line.
  private var isInHeaders = false
  private var lengths = 0
  private var encodings = 0
  private var isAmbiguous = false

  /// Judges the bytes from the start of a request on: those of the last time, and what came since.
  ///
  /// The bytes behind the head do not count.
  mutating func verdict(on bytes: some RandomAccessCollection<UInt8>) -> Verdict {
    while let end = bytes.dropFirst(readCount).firstIndex(of: UInt8(ascii: "\n")) {
      let start = bytes.index(bytes.startIndex, offsetBy: lineStart)
      var line = Array(bytes[start..<end])
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      readCount = bytes.distance(from: bytes.startIndex, to: end) + 1
      lineStart = readCount
      if !isInHeaders {
        isInHeaders = true
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        if words.count == 3 { target = String(decoding: words[1], as: UTF8.self) }
      } else if line.isEmpty {
        return isAmbiguous || lengths + encodings > 1 ? .ambiguous : .clear
      } else {
        read(line)
      }
    }
    readCount = bytes.count
    return .incomplete
  }

  private mutating func read(_ line: [UInt8]) {
    guard let name = Self.name(of: line) else {
      isAmbiguous = true
      return
    }
    if name == "content-length" { lengths += 1 }
    if name == "transfer-encoding" { encodings += 1 }
  }

  /// The name of a header in lower case; nil for a line that is none.
  private static func name(of line: [UInt8]) -> String? {
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
