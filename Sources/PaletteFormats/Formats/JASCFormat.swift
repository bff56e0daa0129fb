internal import PaletteModel

/// The palettes of Paint Shop Pro: a count, then red, green and blue in decimal a line.
struct JASCFormat: FileFormat {
  let name = "jasc"
  let title = "JASC palette (Paint Shop Pro)"
  let extensions = ["pal", "psppalette"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = []

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.content.starts(with: "JASC-PAL".utf8))
  }

  /// The count is not believed: the lines that are there decide, and too few of them are reported.
  ///
  /// A file that has too few and ends within a line is cut off.
  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let lines = file.lines
    guard match(file) == .certain, lines.count >= 3, let count = Int(String(lines[2].text).trimmed)
    else {
      throw .badFile("the file does not begin with 'JASC-PAL', a version and a count")
    }
    var contents = FileContents()
    contents.counts = [file.text.range(of: lines[2].text.trimmedPart)]
    for line in lines.dropFirst(3) {
      let color = DecimalColor(line.text, channels: 4) ?? DecimalColor(line.text, channels: 3)
      contents.append(color?.unnamed, of: line, in: file, hasName: false)
    }
    let found = contents.entries.count + contents.skipped.count
    if found < count {
      guard file.content.last == 0x0A || file.content.last == 0x0D else {
        throw .badFile("the file is cut off: it has \(found) of \(count) colors")
      }
      let reason = "the file ends after \(found) of \(count) colors"
      contents.skipped.append(SkippedEntry(at: "end of the file", reason: reason))
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var text = "JASC-PAL\r\n0100\r\n\(sheet.colors.count)\r\n"
    for named in sheet.colors {
      let bytes = named.color.shownBytes
      text += "\(bytes.red) \(bytes.green) \(bytes.blue)\r\n"
    }
    return Array(text.utf8)
  }
}
