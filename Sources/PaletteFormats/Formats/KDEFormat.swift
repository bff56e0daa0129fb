internal import PaletteModel

/// The colors of KDE: lists of its color picker, and color schemes of Plasma.
struct KDEFormat: FileFormat {
  let name = "kde"
  let title = "KDE colors"
  let extensions = ["colors"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = [.names]

  private static let header = "KDE RGB Palette"

  func match(_ file: FileProbe) -> FormatMatch {
    if isList(file) { return .certain }
    let isScheme = file.lines.contains { $0.text.utf8.starts(with: "[Colors:".utf8) }
    return FormatMatch(.certain, if: isScheme)
  }

  private func isList(_ file: FileProbe) -> Bool { file.content.starts(with: Self.header.utf8) }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    isList(file) ? list(file) : scheme(file)
  }

  private func list(_ file: FileProbe) -> FileContents {
    var contents = FileContents()
    for line in file.lines.dropFirst() where line.text.utf8.first != UInt8(ascii: "#") {
      contents.append(DecimalColor(line.text, channels: 3), of: line, in: file)
    }
    return contents
  }

  /// Sections of `Key=R,G,B`; other settings are no colors.
  private func scheme(_ file: FileProbe) -> FileContents {
    var contents = FileContents()
    // Settings of a program have sections, too.
    contents.isPalette = false
    contents.hasFixedKeys = true
    var section = ""
    for line in file.lines {
      let text = String(line.text).trimmed
      if text.hasPrefix("[") {
        let names = text.split { $0 == "[" || $0 == "]" }
        section = names.joined(separator: "/").replacing("Colors:", with: "")
        continue
      }
      let parts = line.text.split(separator: "=", maxSplits: 1).map(\.trimmedPart)
      guard parts.count == 2, parts[1].contains(",") || parts[1].hasPrefix("#"),
        let color = Color(loose: String(parts[1]))
      else { continue }
      let prefix = section.isEmpty ? "" : section + "/"
      var place = file.text.place(
        of: line,
        [
          EntrySlot(range: file.text.range(of: parts[0]), meaning: .key(.word, isFixed: true)),
          EntrySlot(range: file.text.range(of: parts[1]), meaning: .color()),
        ]
      )
      place.prefix = prefix
      contents.entries.append(
        FileEntry(
          name: TextRule.name.cleaned(prefix + parts[0]),
          color: color,
          isRounded: true,
          hasAlpha: false,
          place: place
        )
      )
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var text = Self.header + "\n"
    for named in sheet.colors {
      let bytes = named.color.shownBytes
      text += "\(bytes.red) \(bytes.green) \(bytes.blue)\t"
      text += Quoting.line.quoted(TextRule.name.cleaned(named.name) ?? "Untitled") + "\n"
    }
    return Array(text.utf8)
  }
}
