internal import PaletteModel

/// The palettes of sK1: lines that are calls of Python, of which only those with colors are read.
struct SK1Format: FileFormat {
  let name = "skp"
  let title = "sK1 palette"
  let extensions = ["skp"]
  let writes = false
  let keeps: KeptContent = [.title, .names, .alpha]

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.content.starts(with: "##sK1 palette".utf8))
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var contents = FileContents()
    // SketchUp's models have the same ending.
    contents.isPalette = match(file) == .certain
    for line in file.lines {
      let text = String(line.text).trimmed
      if let title = text.value(after: "set_name(") {
        contents.title = Self.strings(title).first.flatMap(TextRule.name.cleaned)
      } else if let call = text.value(after: "color(") {
        if let entry = Self.entry(call) {
          contents.entries.append(entry)
        } else {
          let reason = "a color that is neither RGB, CMYK, Lab nor gray with numbers"
          contents.skipped.append(SkippedEntry(at: line.place, reason: reason))
        }
      }
    }
    return contents
  }

  /// `['RGB', [r, g, b], alpha, u'name'])`.
  private static func entry(_ call: String) -> FileEntry? {
    let texts = strings(call)
    guard let model = texts.first, let open = call.dropFirst().firstIndex(of: "["),
      let close = call[open...].firstIndex(of: "]")
    else { return nil }
    let list = call[call.index(after: open)..<close]
    let values = list.split(separator: ",").compactMap { Double(String($0).trimmed) }
    guard values.allSatisfy(\.isFinite) else { return nil }
    let rest = call[close...].dropFirst().split(separator: ",").first.map { String($0).trimmed }
    var color: Color
    switch (model.uppercased(), values.count) {
    case ("RGB", 3): color = Color(.srgb, values[0], values[1], values[2])
    case ("CMYK", 4): color = Color(cmyk: values)
    case ("LAB", 3):
      // All three are kept from 0 to 1.
      color = Color(.lab, values[0] * 100, values[1] * 255 - 128, values[2] * 255 - 128)
    case ("GRAY", 1), ("GRAYSCALE", 1): color = Color(.srgb, values[0], values[0], values[0])
    default: return nil
    }
    color = color.nearestBytes
    color.alpha = rest.flatMap { Double($0) }.map { min(1, max(0, $0)) } ?? 1
    let name = texts.count > 1 ? texts.last : nil
    return FileEntry(name: name.flatMap(TextRule.name.cleaned), color: color)
  }

  /// The strings in a line of Python.
  private static func strings(_ line: String) -> [String] {
    var strings: [String] = []
    var quote: Character?
    var text = ""
    var isEscaped = false
    for character in line {
      if let open = quote {
        if isEscaped {
          text.append(character)
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == open {
          strings.append(text)
          quote = nil
        } else {
          text.append(character)
        }
      } else if character == "'" || character == "\"" {
        quote = character
        text = ""
      }
    }
    return strings
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] { throw .onlyRead(name) }
}
