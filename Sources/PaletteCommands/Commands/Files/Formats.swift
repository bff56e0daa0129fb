internal import PaletteFormats

extension Command {
  package static let formats = Command(
    "formats",
    .files,
    .fact,
    view: .formats,
    summary: "Lists the file formats",
    details: [
      "When piped, each line holds name, title, extensions, and `reads` and `writes` or a hyphen."
    ],
    examples: [.init("hued formats", "show what can be read and written")]
  ) { call in
    FormatsAnswer(formats: FormatRegistry.standard.formats)
  }
  .with(\.isPaged)
}

/// The file formats.
private struct FormatsAnswer: ObjectAnswer {
  let formats: [any FileFormat]

  static let schemaName = "Formats"
  static let fields: [Field<Self>] = [
    Field("formats") { $0.formats.map { FormatAnswer(format: $0) } }
  ]
}

private struct FormatAnswer: ObjectAnswer {
  let format: any FileFormat

  static let fields: [Field<Self>] = [
    Field("name") { $0.format.name }, Field("title") { $0.format.title },
    Field("extensions") { $0.format.extensions }, Field("reads") { $0.format.reads },
    Field("writes") { $0.format.writes },
  ]
}
