internal import PaletteModel

/// One color a line as hexadecimal digits: the plainest palette file there is.
///
/// Written as `rrggbb` or `rrggbbaa`. Read with or without `#`, with 3, 4, 6 or 8 digits, also several on
/// a line; a line that begins with a semicolon is a comment.
struct HexFormat: FileFormat {
  let name = "hex"
  let title = "Hex list"
  let extensions = ["hex"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = [.alpha]

  /// Digits alone may also be a word, or have their alpha in front, as another program writes them:
  /// only a `#`, or a line of exactly six digits, tells that this is the format.
  func match(_ file: FileProbe) -> FormatMatch {
    let lines = colorLines(file)
    guard !lines.isEmpty else { return .none }
    var isCertain = false
    for line in lines {
      let parts = parts(of: line)
      guard !parts.isEmpty else { return .none }
      for text in parts {
        guard color(text) != nil else { return .none }
        let isMarked = text.utf8.first == UInt8(ascii: "#")
        guard isMarked || text.utf8.count >= 6 else { return .none }
        isCertain = isCertain || isMarked || text.utf8.count == 6
      }
    }
    return isCertain ? .likely : .possible
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var contents = FileContents()
    for line in colorLines(file) {
      let parts = parts(of: line)
      for part in parts {
        guard let color = color(part) else {
          let reason = "not 3, 4, 6 or 8 hexadecimal digits"
          contents.skipped.append(SkippedEntry(at: line.place, reason: reason))
          continue
        }
        let digits = EntrySlot(range: file.text.range(of: part), meaning: .color())
        let place =
          parts.count == 1
          ? file.text.place(of: line, [digits])
          : EntryPlace(range: digits.range, lineEnd: nil, slots: [digits])
        contents.entries.append(FileEntry(color: color, isRounded: true, place: place))
      }
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sheet.colors.count * 7)
    for named in sheet.colors {
      bytes.append(contentsOf: named.color.hex.utf8.dropFirst())
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private func colorLines(_ file: FileProbe) -> [TextFile.Line] {
    file.lines.filter { $0.text.utf8.first != UInt8(ascii: ";") }
  }

  /// The texts between spaces and commas.
  private func parts(of line: TextFile.Line) -> [Substring] {
    var parts: [Substring] = []
    var rest = line.text.utf8
    while let start = rest.firstIndex(where: { !isDivider($0) }) {
      let part = Substring(rest[start...].prefix { !isDivider($0) })
      // What is no list of colors is one text.
      guard color(part) != nil else { return [line.text.trimmedPart] }
      parts.append(part)
      rest = rest[part.endIndex...]
    }
    return parts
  }

  private func isDivider(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }

  private func color(_ text: Substring) -> Color? {
    Color(hex: text.utf8.first == UInt8(ascii: "#") ? text.dropFirst() : text)
  }
}
