internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// `export PALETTE`: the palette as the bytes of a file.
enum ExportVerb {
  /// Without a format, the extension of the file that is to be written decides; without one, `json`.
  static func export(_ call: LibraryCall) throws -> [UInt8] {
    let name = try call.parameters.optionalText("format")
    let ending = try call.parameters.optionalText("output-extension")
    do {
      let format = try format(named: name, ending: ending)
      return try call.readingPalette { store, palette in
        let list = try store.colors(of: palette.id)
        let bytes = try format.write(PaletteSheet(palette, list))
        var writer = JSONWriter(capacity: bytes.count * 3 / 2)
        writer.beginObject()
        writer.member("format", format.name)
        writer.member("palette", palette.id.description)
        writer.member("colors", list.count)
        writer.member("bytes", Base64.encode(bytes))
        writer.endObject()
        return writer.bytes
      }
    } catch let error as FormatError {
      throw APIError(error)
    }
  }

  private static func format(
    named name: String?,
    ending: String?
  ) throws(FormatError) -> any FileFormat {
    let formats = FormatRegistry.standard
    let format =
      if let name { try formats.format(named: name) } else if let ending {
        try formats.format(toWriteExtension: ending)
      } else {
        try formats.format(named: "json")
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
