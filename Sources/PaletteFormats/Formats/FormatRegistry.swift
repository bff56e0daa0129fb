/// The formats of this build, and which of them a file is.
public struct FormatRegistry: Sendable {
  /// All formats, in the order in which `formats` lists them and bytes are tried.
  public let formats: [any FileFormat]

  /// The formats that come with the engine.
  public static let standard = FormatRegistry([
    HexFormat(), PaletteDocumentFormat(), TextListFormat(), GIMPFormat(), ASEFormat(), ACOFormat(),
    JASCFormat(), RIFFFormat(), ACTFormat(), VGAFormat(), PaintNETFormat(), StylesheetFormat.css,
    StylesheetFormat.tailwind, StylesheetFormat.scss, StylesheetFormat.less, AndroidFormat(),
    OfficeFormat(), ScribusFormat(), KDEFormat(), CorelFormat(), CSVFormat(), SketchFormat(),
    SK1Format(), TokenFormat(), TailwindConfigFormat(), ProcreateFormat(), KritaFormat(),
    AssetFormat(), HTMLFormat(), SVGFormat(), PNGFormat(), SwiftFormat(),
  ])

  /// Creates a registry.
  public init(_ formats: [any FileFormat]) {
    self.formats = formats
  }

  /// The format with a name, in either case.
  public func format(named name: String) throws(FormatError) -> any FileFormat {
    if let format = formats.first(where: { $0.name == name.lowercased() }) { return format }
    throw FormatError(
      code: "bad-format",
      message: "there is no format '\(name)'",
      hint: "the formats are \(formats.map(\.name).joined(separator: ", "))"
    )
  }

  /// The format to write a file with this extension: the first that has it.
  public func format(
    toWriteExtension pathExtension: String
  ) throws(FormatError) -> any FileFormat {
    let ending = pathExtension.lowercased()
    let format = formats.first { $0.writes && $0.extensions.contains(ending) }
    if let format { return format }
    if let reader = formats.first(where: { $0.extensions.contains(ending) }) {
      throw FormatError(
        code: "bad-format",
        message: "the format \(reader.name) can only be read",
        hint: "say another with --format"
      )
    }
    throw FormatError(
      code: "bad-format",
      message: ending.isEmpty
        ? "no ending of the file's name says its format"
        : "there is no format for files that end in '.\(pathExtension)'",
      hint: "say which with --format"
    )
  }

  /// The format that the ending of an address means: its name, or an ending that only one writer has.
  public func format(toServe ending: String) -> (any FileFormat)? {
    let ending = ending.lowercased()
    let writers = formats.filter(\.writes)
    if let format = writers.first(where: { $0.name == ending }) { return format }
    let fitting = writers.filter { $0.extensions.contains(ending) }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// The format of a file: the bytes decide, and where they do not, the name.
  public func format(
    toRead file: FileProbe
  ) throws(FormatError) -> any FileFormat {
    let ending = Self.pathExtension(of: file.name)
    let readable = formats.filter(\.reads)
    // The ending decides between formats that are possible or likely, not against a certain one.
    var best: (format: any FileFormat, score: Int)?
    for format in readable {
      let match = format.match(file)
      let hasEnding = format.extensions.contains(ending)
      let score = match.rawValue + (hasEnding ? 3 : 0)
      guard match > .none || hasEnding, score > best?.score ?? 0 else { continue }
      best = (format, score)
    }
    if let best { return best.format }
    throw FormatError(
      code: "bad-format",
      message: "'\(file.name)' is in no format that can be read",
      hint: "say which it is with --format, if it is one of "
        + readable.map(\.name).joined(separator: ", ")
    )
  }

  /// Reads a file; a file without a single readable color is refused, unless it is an empty list.
  public func read(
    _ file: FileProbe,
    as formatName: String? = nil
  ) throws(FormatError) -> (format: any FileFormat, contents: FileContents) {
    guard !file.hasTooManyLines else { throw .tooMany("lines", FileLimit.lines) }
    let format =
      if let formatName { try self.format(named: formatName) } else {
        try self.format(toRead: file)
      }
    guard format.reads else {
      throw FormatError(
        code: "bad-format",
        message: "the format \(format.name) can only be written"
      )
    }
    let contents = try format.read(file)
    if contents.entries.isEmpty, let first = contents.skipped.first {
      throw .badFile("'\(file.name)' holds no color; \(first.at): \(first.reason)")
    }
    return (format, contents)
  }

  /// Reads the bytes of a file.
  public func read(
    _ bytes: [UInt8],
    named fileName: String,
    as formatName: String? = nil
  ) throws(FormatError) -> (format: any FileFormat, contents: FileContents) {
    try read(FileProbe(bytes, named: fileName), as: formatName)
  }

  /// The format of a file: the bytes decide, and where they do not, the name.
  public func format(
    toRead bytes: [UInt8],
    named fileName: String
  ) throws(FormatError) -> any FileFormat {
    try format(toRead: FileProbe(bytes, named: fileName))
  }

  /// Returns whether the name of a file says that it may be a palette.
  public func mayRead(named fileName: String) -> Bool {
    let ending = Self.pathExtension(of: fileName)
    return formats.contains { $0.reads && $0.extensions.contains(ending) }
  }

  /// The part of a file's name after its last dot, in lower case; empty if there is none.
  static func pathExtension(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
