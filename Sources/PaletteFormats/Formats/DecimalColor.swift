internal import PaletteModel

/// A line of a palette file that begins with its channels as decimal numbers from 0 to 255.
struct DecimalColor {
  /// The color.
  let color: Color
  /// What follows the numbers, nil where nothing does.
  let name: String?
  /// Whether the fourth channel was there.
  let hasAlpha: Bool

  /// Reads a line without white space at its ends, with three or four channels.
  init?(_ line: String, channels: Int) {
    var values: [UInt8] = []
    var rest = line[...]
    while values.count < channels {
      let word = rest.prefix { $0 != " " && $0 != "\t" }
      guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(word) else {
        return nil
      }
      values.append(value)
      rest = rest[word.endIndex...].drop { $0 == " " || $0 == "\t" }
    }
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
  var unnamed: DecimalColor? { name == nil ? self : nil }
}

extension FileContents {
  /// Adds the color of a line, or that the line has none.
  mutating func append(_ color: DecimalColor?, at place: String) {
    if let color {
      entries.append(
        FileEntry(
          name: color.name,
          color: color.color,
          isRounded: true,
          hasAlpha: color.hasAlpha
        )
      )
    } else {
      let reason = "not red, green and blue as numbers from 0 to 255"
      skipped.append(SkippedEntry(at: place, reason: reason))
    }
  }
}

extension String {
  /// The trimmed text after a key at the beginning, nil where the text begins otherwise.
  func value(after key: String) -> String? {
    hasPrefix(key) ? String(dropFirst(key.count)).trimmed : nil
  }
}
