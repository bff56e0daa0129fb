import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// The palettes of the library.
  func palettes(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    guard isTerminal else { return palettes.map(paletteFields).joined() }
    guard !palettes.isEmpty else { return "No palettes yet; make one with: hued new NAME\n" }
    var table = TextTable(header: ["NAME", "COLORS", "ID", "FIRST COLORS"])
    // As wide as the other columns leave room for, in steps of a swatch.
    let names = palettes.map { DisplayWidth.of(SafeText.line(plain($0["name"]))) }.max() ?? 0
    let room = max(0, (presentation.columns - min(48, max(4, names)) - 20) / Self.stripWidth)
    for palette in palettes {
      table.append([
        Cell(plain(palette["name"])), Cell(plain(palette["count"]), alignsRight: true),
        Cell(short(palette["id"])), strip(palette["strip"], limit: min(room, Self.stripLimit)),
      ])
    }
    return table.text(presentation)
  }

  /// How many columns a color has in a strip, and how many colors one has at most.
  private static let stripWidth = 2
  static let stripLimit = 40

  /// Patches of a palette's first colors; nothing on a terminal without colors.
  private func strip(_ colors: JSON?, limit: Int) -> Cell {
    let patches = (colors.arrayValue ?? []).prefix(limit).map { color in
      Swatch.patch(color.stringValue, width: Self.stripWidth, depth: presentation.depth)
    }.filter { !$0.isEmpty }
    let width = patches.count * Self.stripWidth
    return width == 0 ? Cell("") : Cell(styled: patches.joined(), width: width)
  }

  /// Name, number of colors, id.
  func paletteFields(_ palette: JSON?) -> String {
    fields([plain(palette["name"]), plain(palette["count"]), plain(palette["id"])])
  }

  /// The colors of a palette in order.
  func list(_ document: JSON?) -> String {
    let colors = document["colors"].arrayValue ?? []
    guard isTerminal else {
      var text = ""
      for color in colors { text += recordFields(color) }
      return text
    }
    let number = "  " + count(colors.count, "color")
    let room = presentation.isWide ? .max : max(8, presentation.columns - number.utf8.count)
    let name = DisplayWidth.cut(SafeText.line(plain(document["palette"]["name"])), to: room)
    var text = bold(name) + number + "\n"
    guard !colors.isEmpty else { return text }
    var table = TextTable(header: ["#", "COLOR", "NAME", "VALUE", "CONFLICTS", "NOTE", "ID"])
    for (index, color) in colors.enumerated() {
      table.append([
        Cell(String(index), alignsRight: true), swatch(color), Cell(plain(color["name"])),
        Cell(authoredValue(color)), Cell(registersInConflict(color)),
        Cell(plain(color["note"]), limit: max(16, presentation.columns / 3)),
        Cell(short(color["id"])),
      ])
    }
    text += table.text(presentation)
    return text
  }

  /// Position, hex, name, color, id, note.
  func recordFields(_ record: JSON?) -> String {
    let hex = plain(record["hex"])
    let texts = ["name", "color", "id", "note"].map { SafeText.field(plain(record[$0])) }
    let label = Swatch.label(hex, depth: presentation.depth)
    return ([plain(record["index"]), label] + texts).joined(separator: "\t") + "\n"
  }

  /// One color after an edit.
  func recordLine(_ record: JSON?, after word: String) -> String {
    let swatch = swatch(record).text
    let name = SafeText.line(plain(record["name"]))
    let place = record["index"].isNull ? "" : ", position \(plain(record["index"]))"
    return "\(word) \(swatch) \(name)  (\(short(record["id"]))\(place))\n"
  }

  /// A patch with the hex beside it.
  func swatch(_ record: JSON?) -> Cell {
    let hex = SafeText.line(plain(record["hex"]))
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell(hex) : Cell(styled: patch + " " + hex, width: 5 + hex.utf8.count)
  }

  /// The value as it was written, where it is more than its hex.
  func authoredValue(_ record: JSON?) -> String {
    let color = plain(record["color"])
    let isHex = color.hasPrefix("#") || color.hasPrefix("rgb(")
    return isHex ? "" : Self.readable(color)
  }

  /// A color as CSS with the digits that people read: two behind the point, four below one.
  static func readable(_ css: String) -> String {
    var text = ""
    var rest = css[...]
    while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      text += rest[..<start]
      let digits = rest[start...].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...]
      // A digit behind a letter belongs to a name, such as xyz-d65 or display-p3.
      guard text.last?.isLetter != true, digits.contains("."), let number = Double(digits),
        number < 1e9
      else {
        text += digits
        continue
      }
      let scale = number < 1 ? 1e4 : 1e2
      let rounded = (number * scale).rounded() / scale
      text += Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
    return text + rest
  }

  private func registersInConflict(_ record: JSON?) -> String {
    (record["conflicts"].arrayValue ?? []).map(plain).joined(separator: " ")
  }
}
