internal import PaletteJSON
internal import PaletteModel

/// The palettes of Procreate: an archive with a JSON document.
struct ProcreateFormat: FileFormat {
  let name = "swatches"
  let title = "Procreate palette"
  let extensions = ["swatches"]
  let keeps: KeptContent = [.title, .alpha]

  private static let file = "Swatches.json"
  /// Procreate shows no more.
  private static let slots = 30

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.archive != nil && file.paths.contains(Self.file))
  }

  /// The document is a palette, or a list of them; empty slots are passed over.
  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard let bytes = try file.openedArchive.get().file(Self.file) else {
      throw .badFile("the archive has no file '\(Self.file)'")
    }
    let document = try FileProbe(bytes).parsedJSON.get()
    let palettes = document.arrayValue ?? [document]
    var contents = FileContents()
    contents.title = palettes.first?["name"]?.stringValue.flatMap(TextRule.name.cleaned)
    for (index, swatch) in palettes.flatMap({ $0["swatches"]?.arrayValue ?? [] }).enumerated() {
      guard !swatch.isNull else { continue }
      if let color = Self.color(swatch) {
        contents.entries.append(FileEntry(color: color, isRounded: color.bytes8 != nil))
      } else {
        let reason = "neither components nor hue, saturation and brightness"
        contents.skipped.append(SkippedEntry(at: "swatches[\(index)]", reason: reason))
      }
    }
    return contents
  }

  private static func color(_ swatch: JSON) -> Color? {
    let parts = ["hue", "saturation", "brightness"].compactMap { swatch[$0]?.numberValue }
    guard parts.count == 3 else { return nil }
    let hsb = Color(.hsb, parts[0] * 360, parts[1] * 100, parts[2] * 100)
    // What was bytes comes back as bytes.
    let rgb = hsb.converted(to: .srgb).nearestBytes
    var color = rgb.bytes8 == nil ? hsb : rgb
    color.alpha = min(1, max(0, swatch["alpha"]?.numberValue ?? 1))
    return color
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard sheet.colors.count <= Self.slots else {
      throw .badFile("a Procreate palette holds at most 30 colors, not \(sheet.colors.count)")
    }
    let swatches = sheet.colors.map { named -> JSON in
      let parts = named.color.shownParts
      let exact = Color(.srgb, parts[0], parts[1], parts[2])
      let hsb = (named.color.space == .hsb ? named.color : exact.converted(to: .hsb)).components
      return [
        "hue": JSON((hsb[0] ?? 0) / 360), "saturation": JSON((hsb[1] ?? 0) / 100),
        "brightness": JSON((hsb[2] ?? 0) / 100), "alpha": JSON(named.color.alpha ?? 0),
        "colorSpace": 0,
      ]
    }
    let palette: JSON = ["name": JSON(sheet.name), "swatches": .array(swatches)]
    var writer = ZipWriter()
    writer.add(Self.file, JSON([palette]).bytes)
    return writer.finished()
  }
}
