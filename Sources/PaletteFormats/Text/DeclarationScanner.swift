internal import PaletteModel

/// Finds the declarations of variables in a stylesheet, whatever stands around them.
///
/// That is `--name: value` in CSS, `$name: value` in SCSS and `@name: value` in Less, with the entries of
/// maps as `map/key`. Strings and comments are skipped as the language does.
struct DeclarationScanner {
  /// A variable with the text of its value.
  struct Declaration {
    /// The name without its sigil.
    let name: String
    /// The text of the value, without comments and flags such as `!default`.
    let value: String
    /// The line of the name, from 1.
    let line: Int
    /// The comment that follows on the same line.
    var comment: String?
    /// The ranges of its parts.
    var ranges = Ranges()
    /// The names of the maps around it.
    var groups: [String] = []
    /// The numbers of these among all.
    var groupNumbers: [Int] = []
    /// The place of the bracket that opens the rule around it.
    var rule: Int?
    /// True if it has no name of its own but a number in a list.
    var isElement = false
  }

  /// The ranges of a declaration's parts.
  struct Ranges {
    /// From the sigil, or the key, to the end of the comment behind it.
    var whole = 0..<0
    /// The name, or the key with its quotes.
    var name = 0..<0
    var value = 0..<0
    /// The mark that ends it, empty if it is missing.
    var separator = 0..<0
    /// The comment with the space before it.
    var comment = 0..<0
  }

  /// The mark of variables in a language.
  enum Sigil: String {
    case css = "--"
    case scss = "$"
    case less = "@"
  }

  private static let depthLimit = 32

  /// The declarations, in order.
  private(set) var declarations: [Declaration] = []
  /// The places of the maps, each with its name and the mark behind it.
  private(set) var groupRanges: [Range<Int>] = []
  /// The paths of the maps and lists, which are variables or keys as well.
  private(set) var groupNames: Set<String> = []
  /// True if there are more than are read.
  private(set) var isCut = false
  /// True if a block or a map has no end: the file is cut off.
  private(set) var isOpen = false
  /// The bytes left for names; the declarations are not complete once they are spent.
  private(set) var budget: PathBudget
  /// The first comment, if nothing but space is before it.
  private(set) var firstComment: String?
  private let sigil: Sigil
  private var cursor: StylesheetCursor
  private var groups: [String] = []
  private var openGroups: [Int] = []
  /// The places of the brackets that are open.
  private var openRules: [Int] = []
  /// The beginning of the statement that is read, and the name in it.
  private var start = 0
  private var nameRange = 0..<0

  init(_ text: String, _ sigil: Sigil) {
    self.sigil = sigil
    cursor = StylesheetCursor(Array(text.utf8), sigil)
    budget = PathBudget(fileBytes: cursor.bytes.count)
    let start = cursor
    cursor.skipSpace()
    firstComment = cursor.comment()
    cursor = start
    scan()
  }

  /// The text in UTF-8, in which the places are counted.
  var bytes: [UInt8] { cursor.bytes }
  private var place: Int {
    get { cursor.place }
    set { cursor.place = newValue }
  }

  /// Goes over all statements; one begins after `{`, `}` or `;`.
  private mutating func scan() {
    var isAtStart = true
    var depthOfGroups: [Int] = []
    var depth = 0
    while place < bytes.count {
      if cursor.comment() != nil || cursor.skipString() { continue }
      if isAtStart, !cursor.isSpace(bytes[place]),
        let name = nameOfDeclaration(inGroup: !groups.isEmpty)
      {
        let start = cursor.line
        cursor.skipSpaceAndComments()
        if sigil == .less, place < bytes.count, bytes[place] == UInt8(ascii: "{"),
          groups.count < Self.depthLimit
        {
          begin(name, at: self.start)
          depthOfGroups.append(depth)
        } else {
          declare(name, at: start)
        }
        continue
      }
      switch bytes[place] {
      case UInt8(ascii: "{"):
        depth += 1
        openRules.append(place)
        isAtStart = true
      case UInt8(ascii: "}"):
        depth -= 1
        _ = openRules.popLast()
        isAtStart = true
        if let last = depthOfGroups.last, last >= depth {
          depthOfGroups.removeLast()
          end(at: place + 1)
        }
      case UInt8(ascii: ";"): isAtStart = true
      case let byte: isAtStart = isAtStart && cursor.isSpace(byte)
      }
      cursor.advance()
    }
    if !openRules.isEmpty { isOpen = true }
  }

  /// The name before a colon, with the place after it; the place stays where there is none.
  private mutating func nameOfDeclaration(inGroup: Bool) -> String? {
    let old = cursor
    self.start = place
    if bytes[place...].starts(with: sigil.rawValue.utf8) {
      place += sigil.rawValue.utf8.count
    } else if !inGroup {
      return nil
    }
    let start = place
    while place < bytes.count, cursor.isName(bytes[place]) {
      place += bytes[place] == UInt8(ascii: "\\") ? min(2, bytes.count - place) : 1
    }
    let name = String(decoding: bytes[start..<place], as: UTF8.self).filter { $0 != "\\" }
    nameRange = start..<place
    cursor.skipSpaceAndComments()
    guard !name.isEmpty, place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
      cursor = old
      return nil
    }
    place += 1
    return name
  }

  /// Takes the value up to the end of the statement, and the comment behind it.
  private mutating func declare(_ name: String, at start: Int) {
    if sigil == .scss, place < bytes.count, bytes[place] == UInt8(ascii: "(") {
      place += 1
      begin(name, at: self.start)
      map(depth: 0)
      let rest = bytes[place...].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "}") }
      let hasEnd = rest.endIndex < bytes.count && bytes[rest.endIndex] == UInt8(ascii: ";")
      end(at: hasEnd ? rest.endIndex + 1 : min(bytes.count, place + 1))
      return
    }
    let valueStart = place
    let value = cursor.value { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "}") }
    let colors = sigil == .css ? [] : Self.colors(in: value)
    if colors.count > 1 {
      groups.append(name)
      groupNames.insert(groups.joined(separator: "/"))
      addElements(colors, after: 0, at: start, in: valueStart..<place)
      groups.removeLast()
    } else {
      add(name, value, at: start, in: valueStart..<place)
    }
    readSeparator(UInt8(ascii: ";"))
  }

  /// Adds a declaration whose value is somewhere in a part of the text.
  private mutating func add(_ name: String, _ value: String, at line: Int, in range: Range<Int>) {
    guard declarations.count < FileLimit.variables else {
      isCut = true
      place = bytes.count
      return
    }
    guard budget.take(groups), budget.take(CollectionOfOne(name)) else {
      place = bytes.count
      return
    }
    let plain = String(Substring(value.utf8.prefix { $0 != UInt8(ascii: "!") })).trimmed
    let end = range.lowerBound + bytes[range].trimmedCount
    declarations.append(
      Declaration(
        name: (groups + [name]).joined(separator: "/"),
        value: plain,
        line: line,
        ranges: Ranges(
          whole: start..<end,
          name: nameRange,
          value: place(of: plain, in: range) ?? range.lowerBound..<end,
          separator: end..<end,
          comment: end..<end
        ),
        groups: groups,
        groupNumbers: openGroups,
        rule: openRules.last
      )
    )
  }

  private mutating func begin(_ group: String, at start: Int) {
    groups.append(group)
    if budget.take(groups) { groupNames.insert(groups.joined(separator: "/")) }
    openGroups.append(groupRanges.count)
    groupRanges.append(start..<start)
  }

  private mutating func end(at place: Int) {
    groups.removeLast()
    let number = openGroups.removeLast()
    groupRanges[number] =
      groupRanges[number].lowerBound..<max(place, groupRanges[number].lowerBound)
  }

  /// The colors of a list with commas or spaces between them; none where anything else is in it.
  private static func colors(in list: String) -> [String] {
    var parts: [[UInt8]] = [[]]
    var words: [[UInt8]] = [[]]
    var depth = 0
    for byte in list.utf8.prefix(while: { $0 != UInt8(ascii: "!") }) {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      let isSpace = byte <= 0x20
      if depth == 0, byte == UInt8(ascii: ",") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
      if depth == 0, isSpace { words.append([]) } else { words[words.count - 1].append(byte) }
    }
    let texts = (parts.count > 1 ? parts : words).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
    .filter { !$0.isEmpty }
    return texts.allSatisfy { Color(fileText: $0) != nil } ? texts : []
  }

  /// Adds the colors of a list, which have numbers for names.
  private mutating func addElements(
    _ colors: [String],
    after count: Int,
    at line: Int,
    in range: Range<Int>
  ) {
    var rest = range
    for (number, color) in zip((count + 1)..., colors) {
      let place = place(of: color, in: rest) ?? rest
      (start, nameRange) = (place.lowerBound, place.lowerBound..<place.lowerBound)
      let before = declarations.count
      add("\(number)", color, at: line, in: place)
      if declarations.count > before { declarations[before].isElement = true }
      rest = min(place.upperBound, rest.upperBound)..<rest.upperBound
    }
  }

  /// The first range of a text in a part of the file.
  private func place(of text: String, in range: Range<Int>) -> Range<Int>? {
    let utf8 = Array(text.utf8)
    guard let first = utf8.first else { return nil }
    return range.lazy.filter {
      bytes[$0] == first && bytes[$0..<range.upperBound].starts(with: utf8)
    }
    .first.map { $0..<($0 + utf8.count) }
  }

  /// Reads what ends a declaration, if it is there, with the comment behind it.
  private mutating func readSeparator(_ separator: UInt8) {
    guard place < bytes.count, bytes[place] == separator, !declarations.isEmpty else { return }
    let last = declarations.count - 1
    declarations[last].ranges.separator = place..<(place + 1)
    place += 1
    declarations[last].ranges.whole = declarations[last].ranges.whole.lowerBound..<place
    declarations[last].ranges.comment = place..<place
    readComment()
  }

  /// The entries of a map: `key: value, ...)`, where a value may be a map.
  private mutating func map(depth: Int) {
    var elements = 0
    while place < bytes.count, bytes[place] != UInt8(ascii: ")") {
      cursor.skipSpaceAndComments()
      let line = cursor.line
      start = place
      let keyStart = place
      let key = cursor.value {
        [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ")")].contains($0)
      }
      guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
        // A list, or the end after the last comma.
        let colors = Self.colors(in: key)
        addElements(colors, after: elements, at: line, in: keyStart..<place)
        elements += colors.count
        if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place += 1 }
        continue
      }
      place += 1
      cursor.skipSpaceAndComments()
      let plainKey = Self.plain(key)
      let keyRange = self.place(of: key, in: keyStart..<place) ?? keyStart..<place
      if place < bytes.count, bytes[place] == UInt8(ascii: "("), depth < Self.depthLimit {
        place += 1
        begin(plainKey, at: keyRange.lowerBound)
        map(depth: depth + 1)
        if place < bytes.count { place += 1 }
        end(at: place)
        if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place += 1 }
      } else {
        let valueStart = place
        let text = cursor.value { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ")") }
        (start, nameRange) = (keyRange.lowerBound, keyRange)
        add(plainKey, text, at: line, in: valueStart..<place)
        readSeparator(UInt8(ascii: ","))
      }
    }
    if place >= bytes.count { isOpen = true }
  }

  /// A key without its quotes.
  static func plain(_ key: String) -> String {
    guard let quote = key.utf8.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      key.utf8.count > 1, key.utf8.last == quote
    else { return key }
    return Quoting.quotes(quote).plain(
      String(decoding: key.utf8.dropFirst().dropLast(), as: UTF8.self)
    )
  }

  private mutating func readComment() {
    let start = place
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    guard let text = cursor.comment(), !declarations.isEmpty else { return }
    let last = declarations.count - 1
    declarations[last].comment = text
    declarations[last].ranges.comment = start..<place
    declarations[last].ranges.whole = declarations[last].ranges.whole.lowerBound..<place
  }
}

extension ArraySlice<UInt8> {
  /// The number of bytes there are without the white space at the end.
  fileprivate var trimmedCount: Int {
    guard let last = lastIndex(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
      return 0
    }
    return last + 1 - startIndex
  }
}
