/// The code of a Swift file without its comments and the words of its texts.
struct SourceText {
  /// What is left: code, with a space where something was taken out.
  let code: String

  init(_ source: String) {
    var reader = Reader(Array(source))
    reader.readCode(until: nil)
    code = String(reader.output)
  }

  /// The names of types and functions that the file declares for everybody.
  var declarations: Set<String> { names(after: Self.types.union(["func"])) { _ in true } }

  /// The names of types that other files may use.
  var sharedTypes: Set<String> {
    names(after: Self.types) { !$0.contains("private") && !$0.contains("fileprivate") }
  }

  private static let types: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  /// The names that follow one of the keywords at the outermost level, of the lines that are wanted.
  private func names(after keywords: Set<Substring>, isWanted: ([Substring]) -> Bool) -> Set<String>
  {
    var names: Set<String> = []
    var depth = 0
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
      if depth == 0 {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        if let name = Self.name(after: keywords, in: words), isWanted(words) { names.insert(name) }
      }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
    }
    return names
  }

  private static func name(after keywords: Set<Substring>, in words: [Substring]) -> String? {
    guard !words.contains("extension"), !words.contains("import"),
      let keyword = words.firstIndex(where: keywords.contains), keyword + 1 < words.count
    else { return nil }
    return String(words[keyword + 1])
  }

  /// Every word that may name something declared elsewhere: members of other things do not count,
  /// unless they begin with a capital.
  var words: Set<String> {
    var words: Set<String> = []
    var word = ""
    var before: Character = " "
    var last: Character = " "
    for character in code + " " {
      if character.isLetter || character.isNumber || character == "_" {
        if word.isEmpty { before = last }
        word.append(character)
      } else if !word.isEmpty {
        if before != "." || word.first?.isUppercase == true { words.insert(word) }
        word = ""
      }
      last = character
    }
    return words
  }

  private struct Reader {
    private let source: [Character]
    private var index = 0
    private(set) var output: [Character] = []

    init(_ source: [Character]) { self.source = source }

    private func isAt(_ text: String) -> Bool { source[index...].starts(with: text) }

    /// Reads code up to the parenthesis that ends an interpolation, or to the end of the file.
    mutating func readCode(until end: Character?) {
      var depth = 0
      while index < source.count {
        if isAt("//") {
          while index < source.count, source[index] != "\n" { index += 1 }
        } else if isAt("/*") {
          while index < source.count, !isAt("*/") { index += 1 }
          index = min(index + 2, source.count)
        } else if source[index] == "\"" {
          readText()
        } else {
          if source[index] == "(" { depth += 1 }
          if source[index] == ")" {
            if depth == 0, end == ")" { return }
            depth -= 1
          }
          output.append(source[index])
          index += 1
        }
      }
    }

    private mutating func readText() {
      let quote = isAt("\"\"\"") ? "\"\"\"" : "\""
      let hashes = String(source[..<index].reversed().prefix { $0 == "#" })
      index += quote.count
      output.append(" ")
      while index < source.count, !isAt(quote + hashes) {
        if isAt("\\" + hashes + "(") {
          index += 2 + hashes.count
          readCode(until: ")")
          output.append(" ")
        } else if hashes.isEmpty, source[index] == "\\" {
          index += 1
        }
        index += 1
      }
      index = min(index + quote.count + hashes.count, source.count)
    }
  }
}
