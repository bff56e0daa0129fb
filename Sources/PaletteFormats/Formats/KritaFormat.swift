internal import PaletteModel

/// The palettes of Krita: an archive with XML, in which colors have places in a grid.
struct KritaFormat: FileFormat {
  let name = "kpl"
  let title = "Krita palette"
  let extensions = ["kpl"]
  let keeps: KeptContent = [.title, .names]

  private static let file = "colorset.xml"
  private static let mimetype = "application/x-krita-palette"
  static let profile = "sRGB-elle-V2-srgbtrc.icc"

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
    let groups = KritaGroup.all(in: root)
    contents.groups = groups.dropFirst().map(\.prefix)
    for group in groups {
      for cell in group.cells {
        let element = cell.element
        guard let color = cell.color else {
          let reason = "a color of a model that cannot be read"
          contents.skipped.append(SkippedEntry(at: element.place, reason: reason))
          continue
        }
        let own = element["name"].flatMap(TextRule.name.cleaned)
        let name = group.prefix.isEmpty ? own : group.prefix + (own ?? color.hex)
        contents.entries.append(
          FileEntry(
            name: name.flatMap(TextRule.name.cleaned),
            color: color,
            isRounded: color.bytes8 != nil,
            hasAlpha: false,
            place: .unit(element.tag.lowerBound..<element.end)
          )
        )
      }
    }
    return contents
  }

  func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]? {
    guard let old = try? FileProbe(file).openedArchive.get().file(Self.file),
      let patch = ZipPatch(of: file), let new = KritaPatch(of: old)?.text(for: arrangement)
    else { return nil }
    return patch.replacing(Self.file, with: new)
  }

  /// The color that an element says in its model; nil where it is none.
  static func color(_ element: XMLElement) -> Color? {
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
