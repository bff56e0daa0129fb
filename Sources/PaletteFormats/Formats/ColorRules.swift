internal import PaletteModel

extension StylesheetFormat {
  /// The colors of a stylesheet that has nothing but rules such as `.name { color: #123456; }`, as GIMP
  /// exports palettes; none of any other stylesheet.
  func colorRules(_ file: FileProbe) -> [FileEntry] {
    guard name == "css" else { return [] }
    var scanner = RuleScanner(bytes: Array(file.text.text.utf8))
    return scanner.rules() ?? []
  }
}

/// Reads rules with a class for a selector and a color for all that they say.
private struct RuleScanner {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The colors; nil where anything else is in the text.
  mutating func rules() -> [FileEntry]? {
    var entries: [FileEntry] = []
    skipSpace()
    while place < bytes.count {
      guard entries.count < FileLimit.variables, let entry = rule() else { return nil }
      entries.append(entry)
      skipSpace()
    }
    return entries
  }

  private mutating func rule() -> FileEntry? {
    let start = place
    guard skip(".") else { return nil }
    let name = text { $0 != UInt8(ascii: "{") && $0 > 0x20 }
    skipSpace()
    guard !name.isEmpty, skip("{") else { return nil }
    skipSpace()
    let property = String(
      decoding: bytes[text { $0 != UInt8(ascii: ":") && $0 > 0x20 }],
      as: UTF8.self
    )
    skipSpace()
    guard ["color", "background", "background-color"].contains(property), skip(":") else {
      return nil
    }
    skipSpace()
    var value = text { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "}") }
    while let last = bytes[value].last, last <= 0x20 { value.removeLast() }
    guard let color = Color(fileText: String(decoding: bytes[value], as: UTF8.self)) else {
      return nil
    }
    _ = skip(";")
    skipSpace()
    guard skip("}") else { return nil }
    let identifier = String(decoding: bytes[name], as: UTF8.self).filter { $0 != "\\" }
    return FileEntry(
      name: TextRule.name.cleaned(identifier),
      color: color,
      isIdentifier: true,
      place: EntryPlace(
        around: start..<place,
        in: bytes,
        [
          EntrySlot(range: name, meaning: .identifier(.dashes)),
          EntrySlot(range: value, meaning: .color()),
        ]
      )
    )
  }

  private mutating func text(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = place
    while place < bytes.count, condition(bytes[place]) { place += 1 }
    return start..<place
  }

  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      if bytes[place] <= 0x20 {
        place += 1
      } else if bytes[place...].starts(with: "/*".utf8) {
        place += 2
        while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
        place = min(place + 2, bytes.count)
      } else {
        return
      }
    }
  }
}
