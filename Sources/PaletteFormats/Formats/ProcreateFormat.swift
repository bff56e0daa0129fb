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
        contents.entries.append(
          FileEntry(color: color, isRounded: color.bytes8 != nil, place: .unit(index..<(index + 1)))
        )
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
    let swatches = sheet.colors.map { Self.swatch($0.color) }
    let palette: JSON = ["name": JSON(sheet.name), "swatches": .array(swatches)]
    var writer = ZipWriter()
    writer.add(Self.file, JSON([palette]).bytes)
    return writer.finished()
  }

  private static func swatch(_ color: Color) -> JSON {
    let hsb = hsb(of: color)
    return [
      "hue": JSON(hsb[0]), "saturation": JSON(hsb[1]), "brightness": JSON(hsb[2]),
      "alpha": JSON(color.alpha ?? 0), "colorSpace": 0,
    ]
  }

  /// Hue, saturation and brightness from 0 to 1.
  private static func hsb(of color: Color) -> [Double] {
    let parts = color.shownParts
    let exact = Color(.srgb, parts[0], parts[1], parts[2])
    let hsb = (color.space == .hsb ? color : exact.converted(to: .hsb)).components
    return [(hsb[0] ?? 0) / 360, (hsb[1] ?? 0) / 100, (hsb[2] ?? 0) / 100]
  }

  // MARK: Patching

  func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]? {
    guard let old = try? FileProbe(file).openedArchive.get().file(Self.file),
      let patch = ZipPatch(of: file), let new = Self.text(old, for: arrangement)
    else { return nil }
    return patch.replacing(Self.file, with: new)
  }

  /// The document with other colors, each in its slot; nil where it holds several palettes, or too few slots.
  private static func text(_ old: [UInt8], for arrangement: ColorArrangement) -> [UInt8]? {
    let document = JSONOutline(of: old)
    let palettes = document.elements.isEmpty ? [document] : document.elements
    guard palettes.count == 1, let list = palettes[0].value(of: "swatches", in: old) else {
      return nil
    }
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    let texts = list.elements.map { Array(old[$0.range]) }
    let null = Array("null".utf8)
    // The entries stand for the slots that can be read.
    let filled = texts.indices.filter { index in
      (try? JSON(parsing: texts[index])).map { color($0) != nil } ?? false
    }
    let places = arrangement.entries.map { $0.map { filled[$0] } }
    let blocked = texts.indices.filter { texts[$0] != null && !filled.contains($0) }
    let slots = GridSlots.assigned(
      places,
      blocked: Set(blocked),
      limit: max(Self.slots, texts.count)
    )
    guard let slots else { return nil }
    var new = texts.indices.map { blocked.contains($0) ? texts[$0] : null }
    for ((goal, place), slot) in zip(zip(arrangement.goals, places), slots) {
      while new.count <= slot { new.append(null) }
      let like = place ?? filled.last { $0 < slot } ?? filled.first
      let isChanged = place == nil || goal.changesColor
      let color = goal.wanted.color
      new[slot] =
        like.map { isChanged ? swatch(color, like: texts[$0]) : texts[$0] } ?? swatch(color).bytes
    }
    for (index, element) in list.elements.enumerated() where new[index] != texts[index] {
      changes.append((element.range, new[index]))
    }
    if new.count > texts.count {
      let end = list.elements.last?.range.upperBound ?? list.range.lowerBound + 1
      let first = list.elements.first?.range.lowerBound ?? end
      let space = Array(old[..<first].reversed().prefix { $0 <= 0x20 }.reversed())
      let comma = texts.isEmpty ? [] : [UInt8(ascii: ",")]
      let added = new[texts.count...].map { space + $0 }.joined(separator: [UInt8(ascii: ",")])
      changes.append((end..<end, comma + added))
    }
    if let title = arrangement.title, let name = palettes[0].value(of: "name", in: old) {
      changes.append((name.range, JSON(title).bytes))
    }
    return TextChanges(changes).copy(0..<old.count, of: old)
  }

  /// A swatch that says another color with the members of one that is there.
  private static func swatch(_ color: Color, like old: [UInt8]) -> [UInt8] {
    let outline = JSONOutline(of: old)
    let hsb = hsb(of: color)
    var values = Array(zip(["hue", "saturation", "brightness"], hsb))
    values.append(("alpha", color.alpha ?? 0))
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    func number(_ outline: JSONOutline) -> Double? {
      Double(String(decoding: old[outline.range], as: UTF8.self))
    }
    if let list = outline.value(of: "components", in: old), list.elements.count == 3 {
      let own = ["hue", "saturation", "brightness"].map { key in
        outline.value(of: key, in: old).flatMap(number)
      }
      let isSame = zip(list.elements.map(number), own).allSatisfy { $0 == $1 }
      let model = outline.value(of: "colorModel", in: old).flatMap(number)
      let parts = isSame || model == 1 ? hsb : color.shownParts
      for (element, part) in zip(list.elements, parts) {
        changes.append((element.range, JSON(part).bytes))
      }
    }
    for (key, value) in values {
      if let place = outline.value(of: key, in: old) {
        changes.append((place.range, JSON(value).bytes))
      }
    }
    return TextChanges(changes).copy(0..<old.count, of: old)
  }
}
