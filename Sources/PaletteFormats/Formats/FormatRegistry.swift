/// The formats of this build, and which of them a file is.
public struct FormatRegistry: Sendable {
  /// All formats, in the order in which `formats` lists them and bytes are tried.
  public let formats: [any FileFormat]

  /// The formats that come with the engine.
  public static let standard = FormatRegistry([
    HexFormat(), PaletteDocumentFormat(), TextListFormat(), GIMPFormat(), ASEFormat(), JASCFormat(),
    RIFFFormat(), ACTFormat(),
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
    throw FormatError(
      code: "bad-format",
      message: "there is no format for files that end in '.\(pathExtension)'",
      hint: "say which with --format"
    )
  }

  /// The format of a file: the bytes decide, and where they do not, the name.
  public func format(
    toRead bytes: [UInt8],
    named fileName: String
  ) throws(FormatError) -> any FileFormat {
    let ending = Self.pathExtension(of: fileName)
    let readable = formats.filter(\.reads)
    // A recogniser that also knows the ending is asked first: of two that say yes, it is right.
    let likely = readable.filter { $0.extensions.contains(ending) }
    let others = readable.filter { !$0.extensions.contains(ending) }
    if let format = (likely + others).first(where: { $0.recognises(bytes) }) ?? likely.first {
      return format
    }
    throw FormatError(
      code: "bad-format",
      message: "'\(fileName)' is in no format that can be read",
      hint: "say which it is with --format, if it is one of "
        + readable.map(\.name).joined(separator: ", ")
    )
  }

  /// Reads a file; a file without a single readable color is refused, unless it is an empty list.
  public func read(
    _ bytes: [UInt8],
    named fileName: String,
    as formatName: String? = nil
  ) throws(FormatError) -> (format: any FileFormat, contents: FileContents) {
    let format =
      if let formatName { try self.format(named: formatName) } else {
        try self.format(toRead: bytes, named: fileName)
      }
    guard format.reads else {
      throw FormatError(
        code: "bad-format",
        message: "the format \(format.name) can only be written"
      )
    }
    let contents = try format.read(bytes)
    if contents.entries.isEmpty, let first = contents.skipped.first {
      throw .badFile("'\(fileName)' holds no color; \(first.at): \(first.reason)")
    }
    return (format, contents)
  }

  /// What follows the last dot of a file's name, lower case; empty where there is none.
  static func pathExtension(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
