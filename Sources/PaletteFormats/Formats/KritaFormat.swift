internal import PaletteModel

/// The palettes of Krita: an archive with XML, in which colors have places in a grid.
struct KritaFormat: FileFormat {
  let name = "kpl"
  let title = "Krita palette"
  let extensions = ["kpl"]
  let keeps: KeptContent = [.title, .names]

  private static let file = "colorset.xml"
  private static let mimetype = "application/x-krita-palette"
  private static let profile = "sRGB-elle-V2-srgbtrc.icc"

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.archive != nil && file.paths.contains(Self.file))
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard let bytes = try file.openedArchive.get().file(Self.file) else {
      throw .badFile("the archive has no file '\(Self.file)'")
    }
    let root = try FileProbe(bytes).parsedXML.get()
    guard root.name.lowercased() == "colorset" else {
      throw .badFile("'\(Self.file)' is not of a palette")
    }
    var contents = FileContents(title: root["name"].flatMap(TextRule.name.cleaned))
    append(root, group: nil, to: &contents)
    return contents
  }

  /// Adds the colors of a group by their places, not as they stand in the file, and then its groups.
  private func append(_ node: XMLElement, group: String?, to contents: inout FileContents) {
    defer {
      for inner in node.children where inner.name == "Group" {
        let names = [group, inner["name"]].compactMap(\.self)
        append(inner, group: names.isEmpty ? nil : names.joined(separator: "/"), to: &contents)
      }
    }
    let elements = node.children.filter { $0.name == "ColorSetEntry" }
    let places = elements.map { element in
      let position = element.children.first { $0.name == "Position" }
      return [position?["row"], position?["column"]].map { $0.flatMap { Int($0) } ?? 0 }
    }
    let order = elements.indices.sorted {
      (places[$0][0], places[$0][1], $0) < (places[$1][0], places[$1][1], $1)
    }
    for element in order.map({ elements[$0] }) {
      guard let color = element.children.lazy.compactMap({ Self.color($0) }).first else {
        let reason = "a color of a model that cannot be read"
        contents.skipped.append(SkippedEntry(at: element.place, reason: reason))
        continue
      }
      let own = element["name"].flatMap(TextRule.name.cleaned)
      let name = group.map { group in "\(group)/\(own ?? color.hex)" } ?? own
      contents.entries.append(
        FileEntry(
          name: name.flatMap(TextRule.name.cleaned),
          color: color,
          isRounded: color.bytes8 != nil,
          hasAlpha: false
        )
      )
    }
  }

  private static func color(_ element: XMLElement) -> Color? {
    func values(_ names: String...) -> [Double]? {
      let values = names.compactMap { element[$0].flatMap { Double($0) } }
      return values.count == names.count && values.allSatisfy(\.isFinite) ? values : nil
    }
    switch element.name.lowercased() {
    case "rgb", "srgb":
      guard let parts = values("r", "g", "b") else { return nil }
      let isLinear = element["space"]?.contains("-g10") ?? false
      return Color(isLinear ? .srgbLinear : .srgb, parts[0], parts[1], parts[2]).nearestBytes
    case "gray": return values("g").map { Color(.srgb, $0[0], $0[0], $0[0]).nearestBytes }
    case "cmyk": return values("c", "m", "y", "k").map { Color(cmyk: $0).nearestBytes }
    case "lab": return values("L", "a", "b").map { Color(.lab, $0[0], $0[1], $0[2]) }
    case "xyz": return values("x", "y", "z").map { Color(.xyzD50, $0[0], $0[1], $0[2]) }
    default: return nil
    }
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let columns = 16
    let rows = max(1, (sheet.colors.count + columns - 1) / columns)
    let title = (TextRule.name.cleaned(sheet.name) ?? "Palette").escapedForXML
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ColorSet name="\(title)" version="1.0" columns="\(columns)" rows="\(rows)" comment="" \
      readonly="false">

      """
    for (index, named) in sheet.colors.enumerated() {
      let name = (TextRule.name.cleaned(named.name) ?? "").escapedForXML
      let rgb = named.color.shownBytes
      let parts = zip(["r", "g", "b"], [rgb.red, rgb.green, rgb.blue]).map { key, byte in
        "\(key)=\"\(Double(byte) / 255)\""
      }
      text += """
          <ColorSetEntry name="\(name)" id="\(index)" bitdepth="U8" spot="false">
            <RGB \(parts.joined(separator: " ")) space="\(Self.profile)"/>
            <Position row="\(index / columns)" column="\(index % columns)"/>
          </ColorSetEntry>

        """
    }
    var writer = ZipWriter()
    writer.add("mimetype", Array(Self.mimetype.utf8))
    writer.add(Self.file, Array((text + "</ColorSet>\n").utf8))
    writer.add("profiles.xml", Array("<?xml version=\"1.0\"?>\n<Profiles/>\n".utf8))
    return writer.finished()
  }
}
