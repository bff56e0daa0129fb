package import PaletteFormats
internal import PaletteModel
package import PaletteStore

extension ChangeStore {
  /// The answer of verbs about one palette: `{"id","name","count","digest"}`.
  func paletteAnswer(_ id: PaletteID) throws -> [UInt8] {
    guard let summary = try summary(of: id) else {
      throw APIError(code: "failed", message: "the palette \(id) has no name")
    }
    var writer = JSONWriter()
    writer.palette(summary)
    return writer.bytes
  }

  /// What verbs about one color answer: its record as it is now.
  func reply(about id: RecordID, in palette: PaletteID) throws -> Reply {
    let found = try recordWithIndex(id, in: palette)
    return try reply(id, found?.shown, index: found?.index)
  }

  /// The same of a color that is listed at `index`.
  func reply(about id: RecordID, in palette: PaletteID, index: Int) throws -> Reply {
    try reply(id, try record(id, in: palette), index: index)
  }

  private func reply(_ id: RecordID, _ shown: ShownRecord?, index: Int?) throws -> Reply {
    guard let listed = shown?.listed else {
      throw APIError(code: "failed", message: "the color \(id) is incomplete")
    }
    return .color(listed, index: index)
  }
}

extension JSONWriter {
  /// Writes the member `palettes`.
  package mutating func members(of palettes: [PaletteSummary]) {
    key("palettes")
    beginArray()
    for summary in palettes { palette(summary) }
    endArray()
  }

  /// Writes `{"id","name","count","digest"}`.
  package mutating func palette(_ summary: PaletteSummary) {
    palette(
      summary.id,
      name: summary.name,
      count: summary.count,
      digest: summary.digest.description
    )
  }
}

extension PaletteSheet {
  /// A palette with its colors as they are now.
  package init(_ palette: PaletteSummary, _ list: [ListedColor]) {
    var conflicts: [RecordID: [String]] = [:]
    for entry in list where !entry.conflicts.isEmpty {
      conflicts[entry.color.id] = entry.conflicts.map(\.description)
    }
    self.init(
      id: palette.id,
      name: palette.name,
      digest: palette.digest.description,
      colors: list.map(\.color),
      conflicts: conflicts,
      seen: list.compactMap(\.seen)
    )
  }
}
