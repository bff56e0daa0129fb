internal import PaletteModel

/// A CSS color, a tab and a name a line: palettes for people and for text tools.
///
/// The name may be missing. A text is such a list only if every line that is not blank holds a color.
struct TextListFormat: FileFormat {
  let name = "txt"
  let title = "Text list"
  let extensions = ["txt"]
  let contentType = "text/plain; charset=utf-8"
  let keeps: KeptContent = [.names, .alpha, .spaces]

  func match(_ file: FileProbe) -> FormatMatch {
    guard let first = file.lines.first, (try? entry(first.text)) != nil else { return .none }
    let isList = file.lines.allSatisfy { (try? entry($0.text)) != nil && !isRow($0.text) }
    return FormatMatch(.likely, if: isList)
  }

  /// Returns whether a line holds another color where the name would be.
  private func isRow(_ line: Substring) -> Bool {
    let words = String(line.beginning(Self.lineLimit)).split(separator: " ")
    return words.count > 1 && words.allSatisfy { $0.hasPrefix("#") }
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var contents = FileContents()
    for line in file.lines {
      do {
        var entry = try entry(line.text)
        let text = line.text.trimmedPart
        let end = colorEnd(text)
        let color = EntrySlot(
          range: file.text.range(of: text[..<end].trimmedPart),
          meaning: .color()
        )
        let rest = text[end...].trimmedPart
        let place =
          rest.isEmpty ? file.text.range(of: text[text.endIndex...]) : file.text.range(of: rest)
        let name = EntrySlot(range: place, meaning: .name())
        entry.place = file.text.place(of: line, [color, name])
        contents.entries.append(entry)
      } catch {
        throw .badFile(
          "\(line.place) holds no color: \(error.message)",
          hint: "a text list has a CSS color on every line, then a tab and a name if wanted"
        )
      }
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sheet.colors.count * 40)
    for named in sheet.colors {
      bytes.append(contentsOf: named.color.css.utf8)
      bytes.append(UInt8(ascii: "\t"))
      bytes.append(contentsOf: Quoting.line.quoted(TextRule.name.cleaned(named.name) ?? "").utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// A color and a name of the longest kind; what follows is cut off.
  private static let lineLimit = Color.textLimit + TextRule.byteLimit

  private func entry(_ line: Substring) throws(ColorParseError) -> FileEntry {
    let line = String(line.beginning(Self.lineLimit)).trimmed[...]
    let end = colorEnd(line)
    let color = try Color(css: String(line[..<end]).trimmed)
    return FileEntry(name: TextRule.name.cleaned(String(line[end...])), color: color)
  }

  /// The end of the color: at a tab; without one at white space after a `)` or a `#` color, as
  /// people write such lists by hand.
  private func colorEnd(_ line: Substring) -> Substring.Index {
    if let tab = line.utf8.firstIndex(of: UInt8(ascii: "\t")) { return tab }
    if line.utf8.first == UInt8(ascii: "#") {
      return line.utf8.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
    }
    guard let bracket = line.utf8.firstIndex(of: UInt8(ascii: ")")) else { return line.endIndex }
    return line.utf8.index(after: bracket)
  }
}
