/// A way to keep a palette in a file: bytes in, values out, and back.
public protocol FileFormat: Sendable {
  /// The word that names the format on the command line.
  var name: String { get }
  /// The name of the format for people.
  var title: String { get }
  /// The endings of its files, lower case, the usual one first.
  var extensions: [String] { get }
  /// The media type of the format.
  var contentType: String { get }
  /// True if files of the format can be read.
  var reads: Bool { get }
  /// True if files of the format can be written.
  var writes: Bool { get }
  /// The parts of a palette that its files can hold.
  var keeps: KeptContent { get }
  /// True if its files hold the order of the colors.
  var keepsOrder: Bool { get }

  /// Whether its files are text, which is changed where it stands and keeps all else.
  var isText: Bool { get }

  /// The likeness of a file to this format.
  func match(_ file: FileProbe) -> FormatMatch

  /// Reads a file.
  func read(_ file: FileProbe) throws(FormatError) -> FileContents

  /// Writes a file.
  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8]

  /// The text that holds a palette in a file that has other things in it too, but not these identifiers
  /// again; nil where a palette is a whole file.
  func block(of sheet: PaletteSheet, besides taken: Set<String>) -> [UInt8]?

  /// A text of which entries were taken and to which some were added, as its grammar wants it.
  func tidied(_ text: [UInt8]) -> [UInt8]

  /// The part of a file that holds its entries, and in which their places count.
  func text(of file: [UInt8]) -> [UInt8]?

  /// A file with another part that holds its entries.
  func file(_ file: [UInt8], holding text: [UInt8]) -> [UInt8]

  /// The places in a text that name its entries, so that they go on doing so.
  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference]

  /// A file in which its colors have fixed places, with others in them; nil where it has no room for them, and
  /// in formats that are changed as texts.
  func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]?

  /// An entry that is changed as a whole, where `old` is the entry itself, or that of a neighbor of a new one.
  func unit(_ wanted: UnitGoal, like old: [UInt8]) -> [UInt8]
}

extension FileFormat {
  /// Returns whether the bytes alone show that a file is of this format.
  public func recognises(_ bytes: [UInt8]) -> Bool { match(FileProbe(bytes)) >= .likely }

  /// Reads the bytes of a file.
  public func read(_ bytes: [UInt8]) throws(FormatError) -> FileContents {
    try read(FileProbe(bytes))
  }

  /// The media type of the format: bytes that only certain programs know.
  public var contentType: String { "application/octet-stream" }

  /// In most formats a palette is a whole file.
  public func block(of sheet: PaletteSheet, besides taken: Set<String>) -> [UInt8]? { nil }

  /// Most grammars want nothing more.
  public func tidied(_ text: [UInt8]) -> [UInt8] { text }

  /// In most formats the entries are in the file itself.
  public func text(of file: [UInt8]) -> [UInt8]? { file }

  /// In most formats the entries are in the file itself.
  public func file(_ file: [UInt8], holding text: [UInt8]) -> [UInt8] { text }

  /// Most formats are changed as texts.
  public func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]? { nil }

  /// In most formats nothing names an entry.
  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference] { [] }

  /// In most formats the parts of an entry are changed one by one.
  public func unit(_ wanted: UnitGoal, like old: [UInt8]) -> [UInt8] { old }

  /// What has a name of its own in HTTP is text, but for archives.
  public var isText: Bool {
    contentType != "application/octet-stream" && contentType != "application/zip"
  }

  /// Most formats are lists.
  public var keepsOrder: Bool { true }

  /// True if files of the format can be read: most can.
  public var reads: Bool { true }

  /// True if files of the format can be written: most can.
  public var writes: Bool { true }
}
