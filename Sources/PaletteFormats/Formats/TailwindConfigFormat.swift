internal import PaletteModel

/// The colors in a configuration of Tailwind 3: an object of JavaScript, nested by group.
struct TailwindConfigFormat: FileFormat {
  let name = "tailwind3"
  let title = "Tailwind 3 colors"
  let extensions = ["js", "cjs", "mjs", "ts"]
  let contentType = "text/javascript; charset=utf-8"
  let keeps: KeptContent = [.names, .alpha, .spaces]

  /// The key of the object in which a whole configuration has its colors.
  private static let colorsKey = "colors"
  /// The key of the color that a group has itself.
  fileprivate static let groupKey = "DEFAULT"

  /// The part of a script that shows what it is.
  private static let beginning = 1 << 16

  func match(_ file: FileProbe) -> FormatMatch {
    guard file.json == nil, let text = file.lines.first(where: { !$0.text.hasPrefix("/") })?.text
    else { return .none }
    let starts = ["module.exports", "export ", "import ", "const ", "exports.", "/** @type"]
    guard starts.contains(where: { text.trimmingPrefix(" ").hasPrefix($0) }) else { return .none }
    return FormatMatch(
      .likely,
      if: ScriptObject(file.text.text.utf8.prefix(Self.beginning)).values.contains(
        where: \.isQuoted
      )
    )
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let script = ScriptObject(file.text.text.utf8)
    guard !script.isCut else { throw .tooMany("words and marks", FileLimit.tokens) }
    guard !script.budget.isSpent else { throw .longPaths }
    guard !script.isOpen else { throw .openBracket }
    let values = script.values
    // A whole configuration says where its colors are.
    let colors = values.filter { $0.path.dropLast().contains(Self.colorsKey) }
    let isWhole = script.groups.contains { $0.path.contains(Self.colorsKey) }
    var contents = FileContents()
    for value in isWhole ? colors : values {
      let start = value.path.dropLast().lastIndex(of: Self.colorsKey).map { $0 + 1 } ?? 0
      let isAlone = value.path.count == 1
      let path = value.path[start...].filter { isAlone || $0 != Self.groupKey }
      let name = TextRule.name.cleaned(path.joined(separator: "/"))
      if value.isQuoted, let color = Color(fileText: value.text) {
        // The color of a group itself stands in the group.
        let groups = value.isOfGroup && !isAlone ? path : path.dropLast()
        let place = script.place(of: value, prefix: groups.map { $0 + "/" }.joined())
        contents.entries.append(FileEntry(name: name, color: color, place: place))
      } else if isWhole {
        contents.taken.insert(path.joined(separator: "/"))
        let reason = "'\(TextRule.name.cleaned(String(value.text.prefix(40))) ?? "")' is no color"
        contents.skipped.append(SkippedEntry(at: "line \(value.line)", reason: reason))
      }
    }
    for (path, range) in script.groups where !isWhole || path.contains(Self.colorsKey) {
      let start = path.lastIndex(of: Self.colorsKey).map { $0 + 1 } ?? 0
      let name = path[start...].joined(separator: "/")
      guard !name.isEmpty else { continue }
      contents.taken.insert(name)
      if contents.groupPlaces[name + "/"] == nil { contents.groupPlaces[name + "/"] = range }
    }
    var keys: Set<String> = []
    contents.hasKeyTwice = contents.entries.contains { entry in
      guard let place = entry.place, place.isMember, !place.hasFixedKey, let name = entry.name,
        let key = name.droppingBytes(place.prefix), !key.contains("/")
      else { return false }
      return contents.groupPlaces[name + "/"] != nil || !keys.insert(name).inserted
    }
    let text = file.text.text.utf8.lazy.filter { $0 > 0x20 }
    contents.isPalette = text.elementsEqual("module.exports={}".utf8)
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let names = sheet.colors.map { TextRule.name.cleaned($0.name) ?? "" }
    var text = "module.exports = {\n"
    let tree = NameTree(names, reserved: NameTree.reservedInScripts) {
      Self.quoting.key($0)
    }
    append(tree, sheet.colors, to: &text, depth: 1)
    return Array((text + "}\n").utf8)
  }

  private func append(_ tree: NameTree, _ colors: [NamedColor], to text: inout String, depth: Int) {
    let space = String(repeating: "  ", count: depth)
    for member in tree.members {
      let key = member.key
      text += "\(space)\(Self.quoted(key)): "
      switch member.node {
      case .color(let index): text += Self.quoted(colors[index].color.stylesheetText)
      case .group(let group):
        text += "{\n"
        append(group, colors, to: &text, depth: depth + 1)
        text += "\(space)}"
      }
      text += ",\n"
    }
  }

  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference] {
    ScriptReferences(in: text, to: entries).found
  }

  private static let quoting = Quoting.quotes(UInt8(ascii: "'"))

  private static func quoted(_ text: String) -> String { "'\(quoting.quoted(text))'" }
}

/// The strings and names in the nested objects of a script, with the keys that lead to them; all else is
/// passed over.
private struct ScriptObject {
  struct Value {
    let path: [String]
    let text: String
    let isQuoted: Bool
    let line: Int
    /// The key and the text with their quotes, and the comma behind them.
    let key: Range<Int>
    let value: Range<Int>
    var comma: Range<Int>
    /// The objects around it, by their numbers among all.
    var objects: [Int] = []

    /// True if it is the color of a group itself.
    var isOfGroup: Bool { path.count > 1 && path.last == TailwindConfigFormat.groupKey }
  }

  private enum Token {
    case text(String, isQuoted: Bool, Range<Int>)
    case mark(UInt8, Int)
  }

  /// The most words and marks between the brackets of a function's head.
  private static let parameterLimit = 64

  private(set) var values: [Value] = []
  /// True if a key has no quotes.
  private var hasBareKeys = false
  /// Where the objects stand that have a key, from that to the bracket at their end.
  private var objects: [Range<Int>] = []
  /// The paths of these.
  private var objectPaths: [[String]] = []
  /// True if the script has more than is read of one.
  private(set) var isCut = false
  /// True if an object has no end: the file is cut off.
  private(set) var isOpen = false
  /// The bytes left for paths; the values are not complete once they are spent.
  private(set) var budget: PathBudget
  private let bytes: [UInt8]

  init(_ text: some Sequence<UInt8>) {
    bytes = Array(text)
    budget = PathBudget(fileBytes: bytes.count)
    var path: [String] = []
    var key: String?
    var keyRange = 0..<0
    var isValue = false
    var last: String?
    var lastRange = 0..<0
    var isBehindValue = false
    var depth = 0
    // How deep the objects are that a key opened.
    var opened: [Int] = []
    var around: [Int] = []
    for (token, line) in Self.withoutFunctions(tokens()) {
      if case .mark(UInt8(ascii: ","), let place) = token, isBehindValue {
        values[values.count - 1].comma = place..<(place + 1)
      }
      isBehindValue = false
      switch token {
      case .text(let text, let isQuoted, let range):
        // A number is no color, and means none.
        if isValue, let key, isQuoted || text.first?.isNumber == false {
          guard budget.take(path + [key]) else { return }
          let end = range.upperBound..<range.upperBound
          values.append(
            Value(
              path: path + [key],
              text: text,
              isQuoted: isQuoted,
              line: line,
              key: keyRange,
              value: range,
              comma: end,
              objects: around
            )
          )
          isBehindValue = true
        }
        isValue = false
        (last, lastRange) = (text, range)
      case .mark(UInt8(ascii: ":"), _):
        (key, keyRange) = (last, lastRange)
        if let first = bytes[lastRange].first, ![0x22, 0x27, 0x60].contains(first), first > 0x39 {
          hasBareKeys = true
        }
        isValue = true
      case .mark(UInt8(ascii: "{"), _):
        depth += 1
        if isValue, let key, path.count < 32 {
          path.append(key)
          guard budget.take(path) else { return }
          opened.append(depth)
          around.append(objects.count)
          objects.append(keyRange)
          objectPaths.append(path)
        }
        (key, isValue) = (nil, false)
      case .mark(UInt8(ascii: "}"), let place):
        if opened.last == depth {
          opened.removeLast()
          path.removeLast()
          let object = around.removeLast()
          objects[object] = objects[object].lowerBound..<(place + 1)
        }
        depth -= 1
        (key, isValue) = (nil, false)
      case .mark(UInt8(ascii: ","), _): (key, isValue) = (nil, false)
      case .mark: isValue = false
      }
    }
    isOpen = depth > 0
  }

  /// The objects that have a key, with their paths.
  var groups: [(path: [String], range: Range<Int>)] {
    zip(objectPaths, objects).map { ($0, $1) }
  }

  /// The words and marks without the heads of functions that are values: `colors: ({ theme }) => ({`.
  private static func withoutFunctions(_ tokens: [(Token, Int)]) -> [(Token, Int)] {
    var result: [(Token, Int)] = []
    func isMark(_ tokens: [(Token, Int)], _ index: Int, _ byte: Unicode.Scalar) -> Bool {
      guard tokens.indices.contains(index), case .mark(let mark, _) = tokens[index].0 else {
        return false
      }
      return mark == UInt8(ascii: byte)
    }
    var index = 0
    while index < tokens.count {
      if isMark(tokens, index, "="), isMark(tokens, index + 1, ">") {
        var (start, depth) = (result.count, 0)
        repeat {
          start -= 1
          if isMark(result, start, ")") { depth += 1 }
          if isMark(result, start, "(") { depth -= 1 }
        } while start > 0 && depth > 0 && result.count - start < parameterLimit
        if depth == 0, isMark(result, start - 1, ":") {
          result.removeSubrange(start...)
          index += 2
          while isMark(tokens, index, "(") { index += 1 }
          continue
        }
      }
      result.append(tokens[index])
      index += 1
    }
    return result
  }

  /// The place of a value with its key, its comma and the comment behind them.
  func place(of value: Value, prefix: String) -> EntryPlace {
    var end = max(value.value.upperBound, value.comma.upperBound)
    var place = end
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    if bytes[place...].starts(with: "//".utf8) {
      place += bytes[place...].prefix { $0 != 0x0A && $0 != 0x0D }.count
    } else {
      place = end
    }
    let quote = bytes[value.key.lowerBound]
    // Quotes that the key needs are none that the next one needs too.
    let isNeeded =
      hasBareKeys && quote == UInt8(ascii: "'")
      && Quoting.needsQuotes(String(decoding: bytes[value.key.inner], as: UTF8.self))
    let isQuoted = [0x22, 0x27, 0x60].contains(quote) && !isNeeded
    let slots = [
      EntrySlot(
        range: isQuoted ? value.key.inner : value.key,
        // The color of a group itself has no name of its own.
        meaning: .key(isQuoted ? .quotes(quote) : .key(hasDashes: false), isFixed: value.isOfGroup)
      ),
      EntrySlot(
        range: value.value.inner,
        meaning: .color(.quotes(bytes[value.value.lowerBound]))
      ),
      EntrySlot(range: end..<place, meaning: .own),
    ]
    end = place
    // A key that is computed has brackets around it, as no key of a group here.
    let bracket = bytes[..<value.key.lowerBound].lastIndex { $0 > 0x20 }
    let isComputed = bracket.map { bytes[$0] == UInt8(ascii: "[") } ?? false
    var around = EntryPlace(
      around: (isComputed ? bracket ?? 0 : value.key.lowerBound)..<end,
      in: bytes,
      slots,
      separator: .init(range: value.comma, byte: UInt8(ascii: ",")),
      prefix: prefix
    )
    let count = prefix.utf8.count { $0 == UInt8(ascii: "/") }
    around.isMember = !isComputed
    around.groups = value.objects.suffix(count).map { objects[$0] }
    return around
  }

  /// Cuts the text into words, quoted texts and marks, without comments.
  private mutating func tokens() -> [(Token, Int)] {
    var tokens: [(Token, Int)] = []
    var line = 1
    var place = 0
    func isNewLine(_ place: Int) -> Bool {
      bytes[place] == 0x0A || (bytes[place] == 0x0D && !bytes[place...].starts(with: [0x0D, 0x0A]))
    }
    func isWord(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    while place < bytes.count {
      guard tokens.count < FileLimit.tokens else {
        isCut = true
        return []
      }
      let byte = bytes[place]
      let start = place
      if bytes[place...].starts(with: "//".utf8) {
        while place < bytes.count, !isNewLine(place) { place += 1 }
      } else if bytes[place...].starts(with: "/*".utf8) {
        place += 2
        while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) {
          if isNewLine(place) { line += 1 }
          place += 1
        }
        place = min(place + 2, bytes.count)
      } else if [0x22, 0x27, 0x60].contains(byte) {
        var string: [UInt8] = []
        place += 1
        while place < bytes.count, bytes[place] != byte {
          if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
          if isNewLine(place) { line += 1 }
          string.append(bytes[place])
          place += 1
        }
        place = min(place + 1, bytes.count)
        let text = String(decoding: string, as: UTF8.self)
        tokens.append((.text(text, isQuoted: true, start..<place), line))
      } else if isWord(byte) {
        while place < bytes.count, isWord(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        tokens.append((.text(text, isQuoted: false, start..<place), line))
      } else {
        if isNewLine(place) { line += 1 }
        if byte > 0x20 { tokens.append((.mark(byte, place), line)) }
        place += 1
      }
    }
    return tokens
  }
}
