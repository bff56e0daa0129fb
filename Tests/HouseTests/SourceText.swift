/// The code of a Swift file without its comments and the words of its texts.
struct SourceText {
  private let bytes: [UInt8]

  init(_ source: String) {
    var reader = Reader(Array(source.utf8))
    reader.readCode(until: nil)
    bytes = reader.output
  }

  /// What is left: code, with a space where something was taken out.
  var code: String { String(decoding: bytes, as: UTF8.self) }

  /// The names of types and functions that the file declares for everybody.
  var declarations: Set<String> { names(after: Self.types.union(["func"])) { _ in true } }

  /// The names of types that other files may use.
  var sharedTypes: Set<String> {
    names(after: Self.types) { !$0.contains("private") && !$0.contains("fileprivate") }
  }

  private static let types: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  /// The names that follow one of the keywords at the outermost level, of the lines that are wanted.
  private func names(after keywords: Set<String>, isWanted: ([String]) -> Bool) -> Set<String> {
    var names: Set<String> = []
    var depth = 0
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if depth == 0 {
        let words = line.split { !Self.isPartOfWord($0) }.map {
          String(decoding: $0, as: UTF8.self)
        }
        if let name = Self.name(after: keywords, in: words), isWanted(words) { names.insert(name) }
      }
      for byte in line {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
      }
    }
    return names
  }

  private static func name(after keywords: Set<String>, in words: [String]) -> String? {
    guard !words.contains("extension"), !words.contains("import"),
      let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count
    else { return nil }
    return words[keyword + 1]
  }

  /// Every word that may name something declared elsewhere: members of other things do not count,
  /// unless they begin with a capital.
  var words: Set<String> {
    var words: Set<String> = []
    for word in bytes.split(whereSeparator: { !Self.isPartOfWord($0) }) {
      let isMember = word.startIndex > 0 && bytes[word.startIndex - 1] == UInt8(ascii: ".")
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(word[word.startIndex])
      if !isMember || isCapital { words.insert(String(decoding: word, as: UTF8.self)) }
    }
    return words
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private struct Reader {
    private let source: [UInt8]
    private var index = 0
    private(set) var output: [UInt8] = []

    init(_ source: [UInt8]) { self.source = source }

    private func isAt(_ text: [UInt8]) -> Bool {
      guard index < source.count, source[index] == text[0] else { return false }
      return text.count == 1 || source[index...].starts(with: text)
    }

    /// Reads code up to the parenthesis that ends an interpolation, or to the end of the file.
    mutating func readCode(until end: UInt8?) {
      var depth = 0
      while index < source.count {
        if isAt(Self.lineComment) {
          while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
        } else if isAt(Self.commentStart) {
          while index < source.count, !isAt(Self.commentEnd) { index += 1 }
          index = min(index + 2, source.count)
        } else if source[index] == Self.quote[0] {
          readText()
        } else {
          if source[index] == UInt8(ascii: "(") { depth += 1 }
          if source[index] == UInt8(ascii: ")") {
            if depth == 0, end == UInt8(ascii: ")") { return }
            depth -= 1
          }
          output.append(source[index])
          index += 1
        }
      }
    }

    private mutating func readText() {
      let quote = isAt(Self.longQuote) ? Self.longQuote : Self.quote
      let hashes = Array(source[..<index].reversed().prefix { $0 == UInt8(ascii: "#") })
      let (end, interpolation) = (quote + hashes, Self.backslash + hashes + [UInt8(ascii: "(")])
      index += quote.count
      output.append(UInt8(ascii: " "))
      while index < source.count, !isAt(end) {
        if isAt(interpolation) {
          index += interpolation.count
          readCode(until: UInt8(ascii: ")"))
          output.append(UInt8(ascii: " "))
        } else if hashes.isEmpty, isAt(Self.backslash) {
          index += 1
        }
        index += 1
      }
      index = min(index + end.count, source.count)
    }

    private static let lineComment = Array("//".utf8)
    private static let commentStart = Array("/*".utf8)
    private static let commentEnd = Array("*/".utf8)
    private static let quote = Array("\"".utf8)
    private static let longQuote = Array("\"\"\"".utf8)
    private static let backslash = Array("\\".utf8)
  }
}
