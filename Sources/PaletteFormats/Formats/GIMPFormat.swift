internal import PaletteModel

/// The palettes of GIMP, Inkscape and Krita: red, green and blue in decimal, and a name, a line.
///
/// Aseprite adds a header `Channels: RGBA` and a fourth number; that is read, never written, because
/// GIMP would take the number for a part of the name.
struct GIMPFormat: FileFormat {
  let name = "gpl"
  let title = "GIMP palette"
  let extensions = ["gpl"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = [.title, .names]

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.content.starts(with: "GIMP Palette".utf8))
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard match(file) == .certain else { throw .badFile("the first line is not 'GIMP Palette'") }
    var contents = FileContents()
    var hasAlpha = false
    let isPadded = file.isPadded
    for line in file.lines.dropFirst() {
      let text = String(line.text).trimmed
      if text.utf8.first == UInt8(ascii: "#") {
        // Lospec has no line with the name but a comment.
        if let title = text.value(after: "#Palette Name:"), contents.title == nil {
          contents.title = TextRule.name.cleaned(title)
          contents.titlePlace = file.title(behind: ":", of: line)
        }
      } else if contents.entries.isEmpty, let title = text.value(after: "Name:") {
        contents.title = TextRule.name.cleaned(title)
        contents.titlePlace = file.title(behind: ":", of: line)
      } else if contents.entries.isEmpty, let channels = text.value(after: "Channels:") {
        hasAlpha = channels == "RGBA"
        contents.limit = .bytes(hasAlpha: hasAlpha)
      } else if !contents.entries.isEmpty || text.value(after: "Columns:") == nil {
        let color = DecimalColor(line.text, channels: hasAlpha ? 4 : 3)
        contents.append(color, of: line, in: file, isPadded: isPadded)
      }
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let title = Quoting.line.quoted(TextRule.name.cleaned(sheet.name) ?? "Palette")
    var text = "GIMP Palette\nName: \(title)\nColumns: 0\n#\n"
    for named in sheet.colors {
      let bytes = named.color.shownBytes
      let columns = [bytes.red, bytes.green, bytes.blue].map { value in
        String(repeating: " ", count: 3 - String(value).utf8.count) + String(value)
      }
      text += columns.joined(separator: " ")
      text += "\t\(Quoting.line.quoted(TextRule.name.cleaned(named.name) ?? "Untitled"))\n"
    }
    return Array(text.utf8)
  }
}
