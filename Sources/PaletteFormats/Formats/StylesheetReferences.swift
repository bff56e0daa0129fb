/// The places in a stylesheet that name a variable: `var(--name)`, `$name`, `@name`, and the key of a map.
///
/// Comments are passed over, and of texts in quotes all but what Sass and Less evaluate in them.
struct StylesheetReferences {
  /// The references in the order of the text.
  private(set) var found: [FileReference] = []
  private let text: [UInt8]
  private let sigil: DeclarationScanner.Sigil
  /// The entries of a name, in order.
  private var targets: [String: [Int]] = [:]
  /// The beginnings of the names of the entries themselves.
  private var own: Set<Int> = []
  private var place = 0

  /// The bytes among which the end of a call, or the beginning of a declaration, is looked for.
  private static let reach = 4_096
  /// The functions that stand for the value of a property; the others are Tailwind's.
  private static let functions = ["var", "--theme", "theme"]
  /// The number of calls around each other.
  private static let depth = 8

  /// Finds the references to entries.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - entries: The entries.
  ///   - sigil: The mark before the name of a variable.
  ///   - prefix: What the names of entries leave out.
  init(
    in text: [UInt8],
    to entries: [FileEntry],
    _ sigil: DeclarationScanner.Sigil,
    prefix: String
  ) {
    self.text = text
    self.sigil = sigil
    for (index, entry) in entries.enumerated() {
      guard let place = entry.place else { continue }
      for slot in place.slots {
        let spelling = String(decoding: text[slot.range], as: UTF8.self)
        switch slot.meaning {
        case .identifier:
          own.insert(slot.range.lowerBound - prefix.utf8.count)
          targets[key(prefix + spelling), default: []].append(index)
        case .key(let quoting, _):
          targets[place.prefix + quoting.plain(spelling), default: []].append(index)
        default: break
        }
      }
    }
    scan(prefix: prefix.utf8.count)
  }

  /// Sass knows no difference between a dash and an underscore.
  private func key(_ name: String) -> String {
    sigil == .scss ? name.replacingBytes(of: "_", with: "-") : name
  }

  private mutating func scan(prefix: Int) {
    let mark = Array(sigil.rawValue.utf8)
    var quote: UInt8?
    while place < text.count {
      let byte = text[place]
      if quote == nil, skipComment() { continue }
      if byte == UInt8(ascii: "\\") {
        place += 2
        continue
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = quote == nil ? byte : quote == byte ? nil : quote
      } else if byte == 0x0A {
        quote = nil
      }
      let isEvaluated = quote == nil || isInBraces
      guard isEvaluated, byte == mark[0], text[place...].starts(with: mark),
        sigil != .css || place == 0 || !Self.isName(text[place - 1])
      else {
        place += 1
        continue
      }
      refer(after: place + mark.count, prefix: prefix)
    }
  }

  /// True if Sass or Less evaluates what is here: `#{` or `@{` is before it.
  private var isInBraces: Bool {
    if sigil == .less { return place + 1 < text.count && text[place + 1] == UInt8(ascii: "{") }
    guard sigil == .scss else { return false }
    let line = text[max(0, place - 64)..<place]
    guard let open = line.lastIndex(of: UInt8(ascii: "{")), open > line.startIndex else {
      return false
    }
    return line[open - 1] == UInt8(ascii: "#") && !line[open...].contains(UInt8(ascii: "}"))
  }

  private mutating func skipComment() -> Bool {
    if text[place...].starts(with: "/*".utf8) {
      place += 2
      while place < text.count, !text[place...].starts(with: "*/".utf8) { place += 1 }
      place = min(place + 2, text.count)
      return true
    }
    guard sigil != .css, text[place...].starts(with: "//".utf8),
      place == 0 || text[place - 1] != UInt8(ascii: ":")
    else { return false }
    while place < text.count, text[place] != 0x0A { place += 1 }
    return true
  }

  /// Looks at the name that begins behind a mark.
  private mutating func refer(after start: Int, prefix: Int) {
    let mark = place
    let isBraced = sigil == .less && start < text.count && text[start] == UInt8(ascii: "{")
    let first = isBraced ? start + 1 : start
    var end = first
    while end < text.count, Self.isName(text[end]) { end += 1 }
    place = max(end, mark + 1)
    let name = String(decoding: text[first..<end], as: UTF8.self)
    guard !own.contains(first), !name.isEmpty,
      mark == 0 || text[mark - 1] != UInt8(ascii: ".") || sigil == .css
    else { return }
    if let reference = lookup(in: name, at: mark, after: end) { return found.append(reference) }
    guard let entries = targets[key(name)] else { return }
    var next = end
    while next < text.count, text[next] <= 0x20 { next += 1 }
    let isDeclared = next < text.count && text[next] == UInt8(ascii: ":")
    // A property that is no color here has the name too; a variable of Sass is another one.
    guard !isDeclared || sigil == .css else { return }
    var whole: Range<Int>?
    var form = FileReference.Form.color
    switch sigil {
    case .css:
      whole =
        isDeclared
        ? nil : function(of: Self.functions, around: mark..<end)
      // With a value in its place, a property would be a color of the palette.
      if let call = whole, isInProperty(call.lowerBound) {
        let hasNone = text[end..<(call.upperBound - 1)].allSatisfy { $0 <= 0x20 }
        whole = hasNone ? end..<end : nil
        form = .fallback
      }
    case .scss: whole = mark..<end
    case .less: whole = mark..<(isBraced ? min(text.count, end + 1) : end)
    }
    let shortened = min(first + prefix, end)..<end
    found.append(FileReference(targets: entries, name: shortened, whole: whole, form: form))
  }

  /// Returns whether a place is in the value of a custom property, or so far inside of a value that it may be.
  private func isInProperty(_ place: Int) -> Bool {
    var start = place
    let least = max(0, place - Self.reach)
    func isBeginning() -> Bool { start == 0 || ";{}".utf8.contains(text[start - 1]) }
    while start > least, !isBeginning() { start -= 1 }
    guard isBeginning() else { return true }
    while start < place, text[start] <= 0x20 { start += 1 }
    return text[start...].starts(with: "--".utf8)
  }

  /// The first of some functions whose first argument is here.
  private func function(of names: [String], around argument: Range<Int>) -> Range<Int>? {
    for name in names {
      if let function = function(name, around: argument) { return function }
    }
    return nil
  }

  /// The function whose first argument is here, from its name to its last bracket.
  private func function(_ name: String, around argument: Range<Int>) -> Range<Int>? {
    var open = argument.lowerBound
    let least = max(0, open - Self.reach)
    while open > least, text[open - 1] <= 0x20 { open -= 1 }
    guard open > name.utf8.count, text[open - 1] == UInt8(ascii: "("),
      text[..<(open - 1)].suffix(name.utf8.count).elementsEqual(name.utf8)
    else { return nil }
    var depth = 1
    var end = argument.upperBound
    let most = min(text.count, end + Self.reach)
    while end < most, depth > 0 {
      if text[end] == UInt8(ascii: "(") { depth += 1 }
      if text[end] == UInt8(ascii: ")") { depth -= 1 }
      end += 1
    }
    return depth == 0 ? (open - 1 - name.utf8.count)..<end : nil
  }

  /// The key that a map is asked for.
  private func lookup(in map: String, at mark: Int, after end: Int) -> FileReference? {
    switch sigil {
    case .css: nil
    case .scss: call(on: map, at: mark..<end)
    case .less: brackets(behind: map, from: mark, after: end)
    }
  }

  /// Reads `map-get($map, key)` and `map.get($map, key, key)`, and one around the other.
  private func call(on map: String, at mark: Range<Int>) -> FileReference? {
    var path = map
    var argument = mark
    for _ in 0..<Self.depth {
      guard let call = function(of: ["map-get", "map.get"], around: argument),
        argument.upperBound < call.upperBound,
        text[argument.upperBound] == UInt8(ascii: ",")
      else { return nil }
      var key = argument
      var quoting = Quoting.key(hasDashes: true)
      let rest = text[(argument.upperBound + 1)..<(call.upperBound - 1)]
      for part in rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        key = part.indices
        while let first = text[key].first, first <= 0x20 { key.removeFirst() }
        while let last = text[key].last, last <= 0x20 { key.removeLast() }
        quoting = .key(hasDashes: true)
        if let quote = text[key].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
          key.count > 1
        {
          (key, quoting) = (key.inner, .quotes(quote))
        }
        path += "/" + quoting.plain(String(decoding: text[key], as: UTF8.self))
      }
      if let entries = targets[path] {
        return FileReference(targets: entries, name: key, whole: call, spelling: .key(quoting))
      }
      argument = call
    }
    return nil
  }

  /// Reads `@map[key]`, `@map[@key]` and `@map[key][key]`.
  private func brackets(behind map: String, from mark: Int, after end: Int) -> FileReference? {
    var (path, key, place) = (map, end..<end, end)
    while place < text.count, text[place] == UInt8(ascii: "[") {
      key = (place + 1)..<(place + 1)
      while key.upperBound < text.count, text[key.upperBound] != UInt8(ascii: "]"),
        key.count < Self.reach
      {
        key = key.lowerBound..<(key.upperBound + 1)
      }
      guard key.upperBound < text.count, text[key.upperBound] == UInt8(ascii: "]") else {
        return nil
      }
      place = key.upperBound + 1
      while let first = text[key].first, first <= 0x20 { key.removeFirst() }
      while let last = text[key].last, last <= 0x20 { key.removeLast() }
      if text[key].first == UInt8(ascii: "@") { key.removeFirst() }
      path += "/" + String(decoding: text[key], as: UTF8.self)
    }
    guard place > end, let entries = targets[path] else { return nil }
    return FileReference(
      targets: entries,
      name: key,
      whole: mark..<place,
      spelling: .key(.word)
    )
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
