/// The places in a configuration of Tailwind that name a color of it: `theme('colors.brand.red')`.
///
/// Comments and texts in single or double quotes are passed over; the code within a template is not.
struct ScriptReferences {
  /// The references in the order of the text.
  private(set) var found: [FileReference] = []
  private let text: [UInt8]
  /// The entries of a path.
  private var targets: [String: [Int]] = [:]
  private var place = 0

  private static let function = Array("theme".utf8)
  /// The beginning of all paths of colors.
  private static let root = Array("colors".utf8)
  /// The most bytes of a path.
  private static let reach = 1_024

  /// Finds the references to entries.
  init(in text: [UInt8], to entries: [FileEntry]) {
    self.text = text
    for (index, entry) in entries.enumerated() {
      guard let place = entry.place else { continue }
      for slot in place.slots {
        guard case .key(let quoting, let isFixed) = slot.meaning else { continue }
        let key = quoting.plain(String(decoding: text[slot.range], as: UTF8.self))
        // A group's own color has the group's path too.
        let paths =
          isFixed ? [entry.name, entry.name.map { $0 + "/" + key }] : [place.prefix + key]
        for path in paths {
          if let path {
            targets[path.replacingBytes(of: "/", with: "."), default: []].append(index)
          }
        }
      }
    }
    while place < text.count { step() }
  }

  private mutating func step() {
    if text[place...].starts(with: "//".utf8), place == 0 || text[place - 1] != UInt8(ascii: ":") {
      while place < text.count, text[place] != 0x0A, text[place] != 0x0D { place += 1 }
    } else if text[place...].starts(with: "/*".utf8) {
      place += 2
      while place < text.count, !text[place...].starts(with: "*/".utf8) { place += 1 }
      place = min(place + 2, text.count)
    } else if let string = string(at: place) {
      place = string.upperBound
    } else if text[place...].starts(with: Self.function),
      place == 0 || !Self.isWord(text[place - 1])
    {
      place = call(at: place)
    } else {
      place += 1
    }
  }

  /// A text in quotes, which does not go beyond its line.
  private func string(at start: Int) -> Range<Int>? {
    guard start < text.count, text[start] == UInt8(ascii: "'") || text[start] == UInt8(ascii: "\"")
    else { return nil }
    var end = start + 1
    while end < text.count, text[end] != text[start], text[end] != 0x0A {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start..<min(end + 1, text.count)
  }

  /// Adds the reference of a call, and goes on behind its first argument.
  private mutating func call(at start: Int) -> Int {
    var open = start + Self.function.count
    guard open < text.count, text[open] == UInt8(ascii: "(") else { return open }
    open += 1
    while open < text.count, text[open] <= 0x20 { open += 1 }
    guard let argument = string(at: open), argument.count < Self.reach else { return open }
    let end = argument.upperBound
    let inner = argument.inner
    let path = inner.lowerBound..<(text[inner].firstIndex { $0 <= 0x20 } ?? inner.upperBound)
    guard text[path].starts(with: Self.root) else { return end }
    let key = path.lowerBound + Self.root.count
    guard key < path.upperBound, text[key] == UInt8(ascii: ".") || text[key] == UInt8(ascii: "[")
    else { return end }
    let keys = text[key..<path.upperBound].split { ".[]".utf8.contains($0) }
    guard let name = keys.last?.indices,
      let entries = targets[
        keys.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
      ]
    else { return end }
    // With an opacity behind the path it is more than the color.
    let close = path == inner ? endOfCall(behind: end) : nil
    found.append(
      FileReference(
        targets: entries,
        name: name,
        whole: close.map { start..<$0 },
        form: .quoted(text[argument.lowerBound]),
        spelling: .part,
        groups: keys.dropLast().map(\.indices)
      )
    )
    return end
  }

  /// The end of a call behind its first argument, and behind the value for want of a color; nil where it cannot be told.
  private func endOfCall(behind argument: Int) -> Int? {
    var (place, depth) = (argument, 1)
    while place < text.count, place - argument < Self.reach {
      switch text[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return place + 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let string = string(at: place) else { return nil }
        place = string.upperBound
        continue
      // A comment, a template or an expression.
      case UInt8(ascii: "/"), UInt8(ascii: "`"): return nil
      default: break
      }
      place += 1
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
