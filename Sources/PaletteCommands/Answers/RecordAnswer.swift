internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
package import PaletteStore

/// A color as it is when a command ends, and its index where it is listed.
package struct RecordAnswer: ObjectAnswer {
  private let color: NamedColor
  /// Its place in the list from 0; nil where it is not listed.
  let index: Int?
  private let conflicts: [String]
  private let seen: SeenValues?

  package init(_ listed: ListedColor, index: Int?) {
    color = listed.color
    self.index = index
    conflicts = listed.conflicts.map(\.description)
    seen = listed.seen
  }

  /// A color of a palette's list.
  init(_ sheet: PaletteSheet, at index: Int) {
    color = sheet.colors[index]
    self.index = index
    conflicts = sheet.conflicts[color.id] ?? []
    seen = sheet.seen.count == sheet.colors.count ? sheet.seen[index] : nil
  }

  package static let schemaName = "Record"
  package static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.color.id.description },
    Field("name") { $0.color.name },
    Field("color", "CSS, in the space it was authored in") { $0.color.color.css },
    Field("hex", "#rrggbb or #rrggbbaa") { $0.color.color.hex },
    Field("index") { $0.index },
    Field("note") { $0.color.note },
    Field("conflicts", "a register with several values") { $0.conflicts },
    Field(whereKnown: "seen", "names the values that the color has; for later edits") {
      $0.seen?.description
    },
  ]

  /// Written directly: whoever watches waits for it, and so does whoever edits a list.
  package var bytes: [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.record(color, index: index, conflicts: conflicts, seen: seen)
    return writer.bytes
  }
}

/// The colors of a palette in order, with the palette.
package struct ListAnswer: ObjectAnswer {
  let sheet: PaletteSheet
  /// The reason why a palette of the past has no colors; nil where it was there.
  var absence: Absence?

  /// The reason why a palette was not there at a time.
  package enum Absence: String {
    case notYet = "not-yet"
    case dropped
  }

  package static let schemaName = "List"
  package static let fields: [Field<Self>] = [
    Field("palette") { PaletteAnswer($0.sheet) },
    Field("colors") { answer in
      answer.sheet.colors.indices.map { RecordAnswer(answer.sheet, at: $0) }
    },
    Field(whereKnown: "absent", "the palette was not there at that time: not-yet or dropped") {
      $0.absence?.rawValue
    },
  ]

  /// Written directly: a palette may have a hundred thousand colors.
  package var bytes: [UInt8] {
    guard absence == nil else { return json.bytes }
    var writer = JSONWriter(capacity: sheet.colors.count * 200 + 200)
    writer.document(of: sheet)
    return writer.bytes
  }

  /// Position, hex, name, color, id and note of each color, a line each.
  ///
  /// Making JSON of them first took as long again as reading them.
  ///
  /// - Parameters:
  ///   - label: Shows the hex.
  ///   - field: Makes a stranger's text harmless between tabs.
  /// - Returns: The lines; nil where there is more to say than the colors.
  package func lines(
    label: (String) -> String,
    field: (String) -> String
  ) -> [UInt8]? {
    guard absence == nil else { return nil }
    let tab = UInt8(ascii: "\t")
    var lines: [UInt8] = []
    lines.reserveCapacity(sheet.colors.count * 96)
    for (index, color) in sheet.colors.enumerated() {
      lines += String(index).utf8
      lines.append(tab)
      lines += label(color.color.hex).utf8
      lines.append(tab)
      lines += field(color.name).utf8
      lines.append(tab)
      color.color.appendCSS(to: &lines)
      lines.append(tab)
      let id = color.id.text
      id.span.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
      lines.append(tab)
      lines += field(color.note).utf8
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}

extension ChangeStore {
  /// The answer of commands about one color: its record as it is now.
  func answer(about id: RecordID, in palette: PaletteID) throws -> RecordAnswer {
    let found = try recordWithIndex(id, in: palette)
    return try answer(id, found?.shown, index: found?.index)
  }

  /// The same of a color that is listed at `index`.
  func answer(about id: RecordID, in palette: PaletteID, index: Int) throws -> RecordAnswer {
    try answer(id, try record(id, in: palette), index: index)
  }

  private func answer(_ id: RecordID, _ shown: ShownRecord?, index: Int?) throws -> RecordAnswer {
    guard let listed = shown?.listed else {
      throw APIError(code: "failed", message: "the color \(id) is incomplete")
    }
    return RecordAnswer(listed, index: index)
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

extension Received where Form == RecordAnswer {
  package var id: String { text("id") }
  package var name: String { text("name") }
  package var color: String { text("color") }
  package var hex: String { text("hex") }
  package var index: Int? { integer("index") }
  package var note: String { text("note") }
  package var conflicts: [String] { texts("conflicts") }
  package var seen: String? { optionalText("seen") }
  /// False for an answer about something else.
  var isColor: Bool { has("hex") }

  /// The same color with the values that somebody sees now.
  package func seeing(_ seen: String) -> Self { with("seen", seen) }
}

extension Received where Form == ListAnswer {
  package var palette: Received<PaletteAnswer> { part("palette") }
  package var colors: [Received<RecordAnswer>] { parts("colors") }
  /// The reason why there are no colors; nil where the palette was there.
  package var absence: Word<ListAnswer.Absence>? { has("absent") ? word("absent") : nil }
}
