/// Reads the part of YAML that a compose file needs, and refuses the rest.
///
/// That is blocks of maps and lists, lists in brackets, quoted and folded texts, anchors and merging.
struct YAMLReader {
  struct Failure: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  private let lines: [Substring]
  private var index = 0
  private var anchors: [String: YAML] = [:]

  static func read(_ text: String) throws(Failure) -> YAML {
    var reader = YAMLReader(lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    reader.skipComments()
    let value = try reader.block(indentedBy: 0)
    guard reader.index == reader.lines.count else { throw reader.failure("indented too little") }
    return value
  }

  private init(lines: [Substring]) {
    self.lines = lines
  }

  private func failure(_ reason: String) -> Failure { Failure(line: index + 1, reason: reason) }

  private static func indent(of line: Substring) -> Int { line.prefix { $0 == " " }.count }

  private mutating func skipComments() {
    while index < lines.count,
      lines[index].drop(while: { $0 == " " }).first.map({ $0 == "#" }) ?? true
    {
      index += 1
    }
  }

  /// The line that comes next, when it is indented by exactly so much.
  private func line(indentedBy indent: Int) throws(Failure) -> Substring? {
    guard index < lines.count else { return nil }
    let found = Self.indent(of: lines[index])
    guard found <= indent else { throw failure("indented too much") }
    return found == indent ? lines[index].dropFirst(indent) : nil
  }

  private mutating func block(indentedBy indent: Int) throws(Failure) -> YAML {
    if try line(indentedBy: indent)?.hasPrefix("-") == true { return try list(indentedBy: indent) }
    return try map(indentedBy: indent)
  }

  private mutating func list(indentedBy indent: Int) throws(Failure) -> YAML {
    var values: [YAML] = []
    while let line = try line(indentedBy: indent) {
      guard line.hasPrefix("- ") else { throw failure("no entry of the list") }
      values.append(try value(line.dropFirst(2), indentedBy: indent))
    }
    return .list(values)
  }

  private mutating func map(indentedBy indent: Int) throws(Failure) -> YAML {
    var own: [String: YAML] = [:]
    var merged: [String: YAML] = [:]
    while let line = try line(indentedBy: indent) {
      guard let (_, key, _, rest) = line.wholeMatch(of: /([\w<-]+):( +(.*))?/)?.output else {
        throw failure("no key")
      }
      let before = index
      if key == "<<" {
        guard case .map(let members)? = rest.flatMap({ anchors[String($0.dropFirst())] }) else {
          throw failure("no map of that name")
        }
        merged.merge(members) { $1 }
        index += 1
        skipComments()
      } else if own.updateValue(try value(rest ?? "", indentedBy: indent), forKey: String(key))
        != nil
      {
        throw Failure(line: before + 1, reason: "'\(key)' is there twice")
      }
    }
    return .map(merged.merging(own) { $1 })
  }

  private mutating func value(_ text: Substring, indentedBy indent: Int) throws(Failure) -> YAML {
    if text == "|" || text == ">-" { return .scalar(blockText(folds: text == ">-", below: indent)) }
    let inline = text.isEmpty || text.hasPrefix("&") ? nil : try flow(text)
    index += 1
    skipComments()
    if let inline { return inline }
    let next = index < lines.count ? Self.indent(of: lines[index]) : 0
    guard next > indent else { return .scalar("") }
    let value = try block(indentedBy: next)
    if text.hasPrefix("&") { anchors[String(text.dropFirst())] = value }
    return value
  }

  private mutating func blockText(folds: Bool, below indent: Int) -> String {
    index += 1
    let start = index
    while index < lines.count, lines[index].isEmpty || Self.indent(of: lines[index]) > indent {
      index += 1
    }
    let width = lines[start..<index].filter { !$0.isEmpty }.map(Self.indent).min() ?? 0
    let text = lines[start..<index].map { $0.dropFirst(width) }
    skipComments()
    return folds
      ? text.filter { !$0.isEmpty }.joined(separator: " ") : text.joined(separator: "\n")
  }

  /// A text, or a list in brackets, that ends with its line.
  private func flow(_ text: Substring) throws(Failure) -> YAML {
    guard text.hasPrefix("[") else { return .scalar(try scalar(text)) }
    guard text.hasSuffix("]") else { throw failure("the list does not end with its line") }
    let entry = /"(?:[^"\\]|\\.)*"|'[^']*'|[^,"'\[\]]+/
    var values: [YAML] = []
    for match in text.dropFirst().dropLast().matches(of: entry) {
      let part = match.output.drop { $0 == " " }
      if !part.isEmpty { values.append(.scalar(try scalar(part))) }
    }
    return .list(values)
  }

  private func scalar(_ text: Substring) throws(Failure) -> String {
    switch text.first {
    case "\"":
      guard text.count > 1, text.hasSuffix("\"") else { throw failure("an open quote") }
      return String(text.dropFirst().dropLast().replacing(/\\(.)/) { $0.output.1 })
    case "'":
      guard text.count > 1, text.hasSuffix("'") else { throw failure("an open quote") }
      return String(text.dropFirst().dropLast())
    default:
      guard text.firstMatch(of: /^[{}\[\]&*!|>%@`]|: | #/) == nil else { throw failure("quote it") }
      return String(text)
    }
  }
}
