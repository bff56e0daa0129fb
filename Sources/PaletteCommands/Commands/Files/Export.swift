internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let export = Command(
    "export",
    .files,
    .read,
    view: .facts,
    summary: "Writes a palette as a file",
    details: [
      "Without --output it goes to the standard output. Without --format the extension of the "
        + "output file chooses, and without both it is json. Replacing a file asks first on a "
        + "terminal and needs --yes elsewhere."
    ],
    positionals: [.palette],
    flags: [
      Flag("format", "F", "write this format; `hued formats` lists them", content: .writtenFormat),
      Flag("output", "FILE", "write to this file", content: .file),
    ],
    examples: [
      .init("hued export Sunset --format hex", "print hexadecimal digits, a color a line"),
      .init("hued export Sunset --output sunset.txt", "write CSS colors with their names"),
    ],
    otherNames: ["write", "dump"],
    parameters: [
      Positional.palette.parameter,
      Parameter("format", .text(), "a name of 'formats', json when not given").optional,
      Parameter("output-extension", .text(), "chooses the format where none is given").optional,
      Parameter("colors", .list(.text()), "writes these alone, in the palette's order").optional,
    ]
  ) { call in
    let name = try call.parameters.optionalText("format")
    let ending = try call.parameters.optionalText("output-extension")
    do {
      let format = try FormatRegistry.standard.format(named: name, ending: ending)
      return try call.readingPalette { store, palette in
        let chosen = try call.parameters.optionalTexts("colors").map {
          Set(try store.listedColors($0, in: palette.id))
        }
        let all = try store.colors(of: palette.id) { count throws(StoreError) in
          let progress = Progress("Exporting", .colors, done: count, of: palette.count)
          try call.library.report(inStore: progress)
        }
        let list = chosen.map { chosen in all.filter { chosen.contains($0.color.id) } } ?? all
        let sheet = PaletteSheet(palette, list)
        try call.library.report(Progress("Writing \(format.title)"))
        let bytes = try format.write(sheet)
        // Our own format keeps everything; to read another back takes longer than all else.
        let keepsAll = format.name == FormatRegistry.ownName
        if !keepsAll { try call.library.report(Progress("Comparing")) }
        return ExportedFile(
          format: format.name,
          palette: palette.id,
          colors: list.count,
          dropped: keepsAll ? [] : format.losses(of: sheet, in: bytes),
          bytesOfFile: bytes
        )
      }
    } catch let error as FormatError {
      throw APIError(error)
    }
  }.reading(.palette)
    .with(\.work, "Exporting")
    .with(\.programPart, .exporting)
    .with(\.isRunByCaller)
}

/// A palette as the bytes of a file.
package struct ExportedFile: ObjectAnswer {
  let format: String
  let palette: PaletteID
  let colors: Int
  let dropped: [String]
  let bytesOfFile: [UInt8]

  package static let schemaName = "Exported"
  package static let fields: [Field<Self>] = [
    Field("format") { $0.format },
    Field("palette", "a UUID, lower case") { $0.palette.description },
    Field("colors") { $0.colors },
    Field("dropped", "what the format has no place for") { $0.dropped },
    Field("bytes", "base64") { Base64.encode($0.bytesOfFile) },
  ]
}

extension FormatRegistry {
  /// The format of hued's own documents.
  fileprivate static let ownName = "json"

  /// The format to write: the one that is named, else the one that the ending says, else `json`.
  fileprivate func format(
    named name: String?,
    ending: String?
  ) throws(FormatError) -> any FileFormat {
    let format =
      if let name { try format(named: name) } else if let ending {
        try format(toWriteExtension: ending)
      } else {
        try format(named: Self.ownName)
      }
    guard format.writes else {
      throw FormatError(
        code: "bad-format",
        message: "the format \(format.name) can only be read"
      )
    }
    return format
  }
}

extension Received where Form == ExportedFile {
  package var format: String { text("format") }
  package var losses: [String] { texts("dropped") }
  package var bytesOfFile: [UInt8]? { json["bytes"].base64Bytes }
}
