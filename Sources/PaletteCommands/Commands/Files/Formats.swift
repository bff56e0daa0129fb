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
package struct FormatsAnswer: ObjectAnswer {
  let formats: [any FileFormat]

  package static let schemaName = "Formats"
  package static let fields: [Field<Self>] = [
    Field("formats") { $0.formats.map { FormatAnswer(format: $0) } }
  ]
}

package struct FormatAnswer: ObjectAnswer {
  let format: any FileFormat

  package static let fields: [Field<Self>] = [
    Field("name") { $0.format.name }, Field("title") { $0.format.title },
    Field("extensions") { $0.format.extensions }, Field("reads") { $0.format.reads },
    Field("writes") { $0.format.writes },
  ]
}

extension Received where Form == FormatsAnswer {
  package var formats: [Received<FormatAnswer>] { parts("formats") }
}

extension Received where Form == FormatAnswer {
  package var name: String { text("name") }
  package var title: String { text("title") }
  package var extensions: [String] { texts("extensions") }
  package var reads: Bool { isSet("reads") }
  package var writes: Bool { isSet("writes") }
}
