public import PaletteJSON
public import PaletteModel

/// The shapes in which palettes and colors appear in every answer and in the format `json`.
extension JSONWriter {
  /// Writes `{"palette":{...},"colors":[...]}`.
  public mutating func document(of sheet: PaletteSheet) {
    beginObject()
    members(of: sheet)
    endObject()
  }

  /// Writes the members `palette` and `colors`.
  public mutating func members(of sheet: PaletteSheet) {
    key("palette")
    palette(sheet.id, name: sheet.name, count: sheet.colors.count, digest: sheet.digest)
    key("colors")
    beginArray()
    for (index, color) in sheet.colors.enumerated() {
      record(
        color,
        index: index,
        conflicts: sheet.conflicts[color.id] ?? [],
        seen: sheet.seen.count == sheet.colors.count ? sheet.seen[index] : nil
      )
    }
    endArray()
  }

  /// Writes `{"id","name","count","digest"}`.
  public mutating func palette(_ id: PaletteID, name: String, count: Int, digest: String) {
    beginObject()
    key("id")
    self.id(id.record)
    member("name", name)
    member("count", count)
    member("digest", digest)
    endObject()
  }

  /// Writes `{"id","name","color","hex","index","note","conflicts","seen"}`, the last where it is known.
  public mutating func record(
    _ color: NamedColor,
    index: Int?,
    conflicts: [String] = [],
    seen: SeenValues? = nil
  ) {
    beginObject()
    key("id")
    id(color.id)
    member("name", color.name)
    key("color")
    css(color.color)
    member("hex", color.color.hex)
    member("index", index)
    member("note", color.note)
    member("conflicts", conflicts)
    if let seen { member("seen", seen) }
    endObject()
  }

  /// Writes an id as its text.
  package mutating func id(_ id: RecordID) {
    ascii { bytes in
      let text = id.text
      text.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }
  }

  /// Writes a key with the live values of a color, for an edit to name what it saw.
  package mutating func member(_ key: String, _ seen: SeenValues) {
    self.key(key)
    ascii { seen.append(to: &$0) }
  }

  /// Writes a color as its CSS text.
  mutating func css(_ color: Color) {
    ascii { color.appendCSS(to: &$0) }
  }
}
