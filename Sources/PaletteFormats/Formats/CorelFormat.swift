internal import PaletteModel

/// The palettes of Corel: XML of newer programs, and lines of a name and CMYK in percent.
///
/// Other programs, Coolors among them, have XML with the same elements and other attributes.
struct CorelFormat: FileFormat {
  let name = "corel"
  let title = "Corel palette"
  let extensions = ["pal", "xml"]
  let writes = false
  let keeps: KeptContent = [.title, .names]

  func match(_ file: FileProbe) -> FormatMatch {
    if let root = file.xml {
      return FormatMatch(.certain, if: root.name == "palette" && !root.descendants("color").isEmpty)
    }
    guard let first = file.lines.first else { return .none }
    return FormatMatch(.likely, if: Self.entry(String(first.text).trimmed) != nil)
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard file.firstByte == UInt8(ascii: "<") else { return lines(file) }
    let root = try file.parsedXML.get()
    let title = root["name"] ?? root.descendants("description").first?["name"]
    var contents = FileContents(title: title.flatMap(TextRule.name.cleaned))
    // A palette may have inks of its own, each said in a model or several.
    var inks: [String: Color] = [:]
    for ink in root.descendants("cs") {
      let colors = ink.descendants("color").sorted { one, _ in one["cs"] == "RGB" }
      if let name = ink["name"], let color = colors.first.flatMap({ Self.color($0, inks: [:]) }) {
        inks[name] = color
      }
    }
    for element in root.descendants("color") {
      let model = element["cs"]
      // The colors of the inks have no names.
      guard model == nil || element["name"] != nil else { continue }
      if let color = model == nil ? Self.plainColor(element) : Self.color(element, inks: inks) {
        contents.entries.append(
          FileEntry(
            name: element["name"].flatMap(TextRule.name.cleaned),
            color: color.nearestBytes,
            hasAlpha: false
          )
        )
      } else {
        let reason = "a color of the model '\(model ?? "")', which cannot be read"
        contents.skipped.append(SkippedEntry(at: element.place, reason: reason))
      }
    }
    return contents
  }

  /// The color of an element that says hexadecimal digits, red, green and blue, or shares of inks.
  private static func plainColor(_ element: XMLElement) -> Color? {
    if let color = element["hex"].flatMap({ Color(loose: $0) }) { return color }
    func values(_ names: [String]) -> [Double]? {
      let values = names.compactMap { element[$0].flatMap { Double($0) } }
      return values.count == names.count && values.allSatisfy(\.isFinite) ? values : nil
    }
    if let rgb = values(["r", "g", "b"]) { return color("RGB", rgb.map { $0 / 255 }) }
    return values(["c", "m", "y", "k"]).flatMap { color("CMYK", $0) }
  }

  private static func color(_ element: XMLElement, inks: [String: Color]) -> Color? {
    let values = (element["tints"] ?? "").split(separator: ",").compactMap {
      Double(String($0).trimmed)
    }
    guard let model = element["cs"], values.allSatisfy(\.isFinite) else { return nil }
    if let ink = inks[model], let strength = values.first {
      return Color(.srgb, 1, 1, 1).mixed(with: ink, part: min(1, max(0, strength)), in: .srgb)
    }
    return color(model.uppercased(), values)
  }

  private static func color(_ model: String, _ values: [Double]) -> Color? {
    switch (model, values.count) {
    case ("RGB", 3): Color(.srgb, values[0], values[1], values[2])
    case ("CMYK", 4): Color(cmyk: values)
    case ("CMY", 3): Color(cmyk: values + [0])
    case ("GRAY", 1): Color(.srgb, values[0], values[0], values[0])
    case ("LAB", 3): Color(.lab, values[0] * 100, values[1] * 255 - 128, values[2] * 255 - 128)
    default: nil
    }
  }

  private func lines(_ file: FileProbe) -> FileContents {
    var contents = FileContents()
    for line in file.lines {
      if let entry = Self.entry(String(line.text).trimmed) {
        contents.entries.append(entry)
      } else {
        let reason = "not a name in quotes and four numbers from 0 to 100"
        contents.skipped.append(SkippedEntry(at: line.place, reason: reason))
      }
    }
    return contents
  }

  /// The name ends at the last quote, since it may hold quotes itself.
  private static func entry(_ line: String) -> FileEntry? {
    guard line.hasPrefix("\""), let end = line.lastIndex(of: "\""), end > line.startIndex else {
      return nil
    }
    let words = line[line.index(after: end)...].split { $0 == " " || $0 == "\t" }
    let values = words.compactMap { Double($0) }
    guard words.count == 4, values.count == 4, values.allSatisfy({ (0...100) ~= $0 }) else {
      return nil
    }
    let name = String(line[line.index(after: line.startIndex)..<end])
    return FileEntry(
      name: TextRule.name.cleaned(name),
      color: Color(cmyk: values.map { $0 / 100 }).nearestBytes,
      hasAlpha: false
    )
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] { throw .onlyRead(name) }
}
