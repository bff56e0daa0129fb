internal import PaletteModel

/// A line of a palette file that begins with its channels as decimal numbers from 0 to 255.
struct DecimalColor {
  /// The color.
  let color: Color
  /// The text after the numbers, nil if there is none.
  let name: String?
  /// True if the fourth channel was there.
  let hasAlpha: Bool
  /// The numbers.
  let numbers: Substring
  /// The text after the numbers and the space that follows them.
  let rest: Substring

  /// Reads a line with three or four channels.
  init?(_ text: Substring, channels: Int) {
    let line = text.trimmedPart
    var values: [UInt8] = []
    var rest = line
    var end = line.startIndex
    while values.count < channels {
      let word = Substring(rest.utf8.prefix { !$0.dividesNumbers })
      guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(word) else {
        return nil
      }
      values.append(value)
      end = word.endIndex
      rest = Substring(rest[end...].utf8.drop(while: \.dividesNumbers))
    }
    // The space before the numbers is a part of their columns.
    numbers = text[..<end]
    self.rest = rest.isEmpty ? text[end..<end] : rest
    hasAlpha = channels == 4
    color = Color(
      red8: values[0],
      green8: values[1],
      blue8: values[2],
      alpha8: hasAlpha ? values[3] : 255
    )
    let name = TextRule.name.cleaned(String(rest))
    self.name = name == "Untitled" ? nil : name
  }

  /// The color, if nothing follows its numbers.
  var unnamed: DecimalColor? { rest.isEmpty ? self : nil }
}

extension UInt8 {
  /// True if this is a space or a tab.
  fileprivate var dividesNumbers: Bool { self == 0x20 || self == 0x09 }
}

extension FileProbe {
  /// True if numbers stand in columns, filled up with spaces.
  var isPadded: Bool {
    lines.contains { line in
      line.text.utf8.first == 0x20
        && line.text.trimmedPart.utf8.first.map { $0 < 0x3A && $0 > 0x2F } ?? false
    }
  }
}

extension FileProbe {
  /// The place of the title behind a mark of a line.
  func title(behind mark: Character, of line: TextFile.Line) -> TitlePlace? {
    guard let mark = line.text.firstIndex(of: mark) else { return nil }
    let rest = line.text[line.text.index(after: mark)...].trimmedPart
    guard !rest.isEmpty else { return nil }
    return TitlePlace(range: text.range(of: rest), quoting: .line)
  }
}

extension FileContents {
  /// Adds the color of a line, or that the line has none.
  mutating func append(
    _ color: DecimalColor?,
    of line: TextFile.Line,
    in file: FileProbe,
    hasName: Bool = true,
    isPadded: Bool = false
  ) {
    if let color {
      var slots = [
        EntrySlot(range: file.text.range(of: color.numbers), meaning: .color(isPadded: isPadded))
      ]
      if hasName {
        slots.append(EntrySlot(range: file.text.range(of: color.rest), meaning: .name()))
      }
      entries.append(
        FileEntry(
          name: color.name,
          color: color.color,
          isRounded: true,
          hasAlpha: color.hasAlpha,
          place: file.text.place(of: line, slots)
        )
      )
    } else {
      let reason = "not red, green and blue as numbers from 0 to 255"
      skipped.append(SkippedEntry(at: line.place, reason: reason))
    }
  }
}

extension String {
  /// The trimmed text after a key at the beginning, nil where the text begins otherwise.
  func value(after key: String) -> String? {
    utf8.starts(with: key.utf8) ? String(utf8.dropFirst(key.utf8.count))?.trimmed : nil
  }
}
