internal import PaletteModel

/// The palettes of Paint.NET: alpha, red, green and blue as eight hexadecimal digits a line.
struct PaintNETFormat: FileFormat {
  let name = "paintnet"
  let title = "Paint.NET palette"
  let extensions = ["txt"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = [.title, .alpha]

  func match(_ file: FileProbe) -> FormatMatch {
    guard let first = file.lines.first else { return .none }
    if isComment(first), first.text.beginning(Self.beginning).lowercased().contains("paint.net") {
      return .certain
    }
    let lines = file.lines.filter { !isComment($0) }
    return FormatMatch(.possible, if: !lines.isEmpty && lines.allSatisfy { color($0) != nil })
  }

  /// So much of the first line tells whether it is the header.
  private static let beginning = 4096

  private func isComment(_ line: TextFile.Line) -> Bool { line.text.utf8.first == Self.comment }

  private static let comment = UInt8(ascii: ";")

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var contents = FileContents()
    for line in file.lines {
      if isComment(line) {
        let comment = String(line.text.dropFirst()).trimmed
        if let title = comment.value(after: "Palette Name:"), contents.title == nil {
          contents.title = TextRule.name.cleaned(title)
          contents.titlePlace = file.title(behind: ":", of: line)
        } else if comment.hasPrefix("Colors:") {
          let count = line.text.split(separator: ":", maxSplits: 1).last?.trimmedPart ?? ""
          contents.counts.append(file.text.range(of: count))
        }
      } else if let color = color(line) {
        let digits = Self.digits(line)
        let slot = EntrySlot(range: file.text.range(of: digits), meaning: .alphaFirstDigits)
        let place = file.text.place(of: line, [slot])
        contents.entries.append(FileEntry(color: color, isRounded: true, place: place))
      } else {
        let reason = "not eight hexadecimal digits, alpha first"
        contents.skipped.append(SkippedEntry(at: line.place, reason: reason))
      }
    }
    return contents
  }

  /// The part of a line before its comment.
  private static func digits(_ line: TextFile.Line) -> Substring {
    Substring(line.text.utf8.prefix { $0 != comment }).trimmedPart
  }

  /// Six digits are opaque, as Paint.NET reads them.
  private func color(_ line: TextFile.Line) -> Color? {
    let digits = Self.digits(line)
    guard digits.utf8.count == 8 || digits.utf8.count == 6, !digits.hasPrefix("#") else {
      return nil
    }
    let alphaCount = digits.utf8.count - 6
    return Color(hex: String(digits.dropFirst(alphaCount)) + digits.prefix(alphaCount))
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var text = ";paint.net Palette File\n"
    text +=
      ";Palette Name: \(Quoting.line.quoted(TextRule.name.cleaned(sheet.name) ?? "Palette"))\n"
    text += ";Colors: \(sheet.colors.count)\n"
    for named in sheet.colors {
      let digits = named.color.hex.dropFirst().uppercased()
      text += digits.count == 8 ? String(digits.suffix(2)) + digits.prefix(6) : "FF" + digits
      text += "\n"
    }
    return Array(text.utf8)
  }
}
