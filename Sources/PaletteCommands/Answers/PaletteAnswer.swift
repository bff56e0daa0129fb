internal import PaletteFormats
package import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
package import PaletteStore

/// A palette, without its colors.
package struct PaletteAnswer: ObjectAnswer {
  private let id: PaletteID
  private let name: String
  private let count: Int
  private let digest: String
  /// Its first colors as hex; nil where nobody asked for them.
  var strip: [String]?
  /// The time of its newest edit; nil where nobody asked for it.
  private let edited: String?

  package init(_ summary: PaletteSummary, editedMilliseconds: Int64? = nil) {
    id = summary.id
    name = summary.name
    count = summary.count
    digest = summary.digest.description
    edited = editedMilliseconds?.moment
  }

  init(_ sheet: PaletteSheet) {
    id = sheet.id
    name = sheet.name
    count = sheet.colors.count
    digest = sheet.digest
    edited = nil
  }

  package static let schemaName = "Palette"
  package static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.id.description },
    Field("name") { $0.name },
    Field("count") { $0.count },
    Field("digest", "32 hexadecimal digits; equal exactly when the contents are") { $0.digest },
    Field(whereKnown: "strip", "its first colors as hex, where they are asked for") { $0.strip },
    Field(whereKnown: "edited", "when it was edited last, where the order is that of edits") {
      $0.edited
    },
  ]
}

/// Palettes, in their order.
package struct PalettesAnswer: ObjectAnswer {
  private let palettes: [PaletteAnswer]
  private let hasMore: Bool

  init(_ palettes: [PaletteAnswer], hasMore: Bool = false) {
    self.palettes = palettes
    self.hasMore = hasMore
  }

  package static let fields: [Field<Self>] = [
    Field("palettes") { $0.palettes },
    Field(whereKnown: "more", "true where others come behind these") { $0.hasMore ? true : nil },
  ]
}

extension ChangeStore {
  /// The answer of commands about one palette: the palette as it is now.
  func answer(about id: PaletteID) throws -> PaletteAnswer {
    guard let summary = try summary(of: id) else {
      throw APIError(code: "failed", message: "the palette \(id) has no name")
    }
    return PaletteAnswer(summary)
  }
}

/// A color or a palette, whichever a command was about.
package enum RecordOrPalette: Answer, JSONRepresentable {
  case record(RecordAnswer)
  case palette(PaletteAnswer)

  package static let schema = Schema.named(
    "RecordOrPalette",
    .either([RecordAnswer.schema, PaletteAnswer.schema])
  )

  package var json: JSON {
    switch self {
    case .record(let answer): answer.json
    case .palette(let answer): answer.json
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .record(let answer): answer.bytes
    case .palette(let answer): answer.bytes
    }
  }
}

/// An answer of one text.
package struct TextAnswer: Answer, JSONRepresentable {
  let key: String
  package let text: String

  package static let schema = Schema.map(.text())
  package var json: JSON { .object([key: .string(text)]) }
}

extension Received where Form == PaletteAnswer {
  package var id: String { text("id") }
  package var name: String { text("name") }
  package var count: Int? { integer("count") }
  package var strip: [String] { texts("strip") }
}

extension Received where Form == PalettesAnswer {
  package var palettes: [Received<PaletteAnswer>] { parts("palettes") }
  package var hasMore: Bool { isSet("more") }
}

extension Received where Form == RecordOrPalette {
  /// The color; nil where it is about a palette.
  package var record: Received<RecordAnswer>? {
    let record = Received<RecordAnswer>(json)
    return record.isColor ? record : nil
  }
  package var palette: Received<PaletteAnswer> { Received<PaletteAnswer>(json) }
}
