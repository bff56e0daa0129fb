public import PaletteModel

/// A palette as a writer gets it: everything that a file or an answer may show.
public struct PaletteSheet: Sendable {
  /// The identity of the palette.
  public var id: PaletteID
  /// The name of the palette.
  public var name: String
  /// The digest of the palette, as 32 hexadecimal digits; empty where it is not known.
  public var digest: String
  /// The colors in order.
  public var colors: [NamedColor]
  /// The registers with siblings, for the colors that have some.
  public var conflicts: [RecordID: [String]]
  /// The live values of each color, in the order of the colors; empty where nobody asked for them.
  public var seen: [SeenValues]

  /// Creates a sheet.
  public init(
    id: PaletteID,
    name: String,
    digest: String = "",
    colors: [NamedColor],
    conflicts: [RecordID: [String]] = [:],
    seen: [SeenValues] = []
  ) {
    self.id = id
    self.name = name
    self.digest = digest
    self.colors = colors
    self.conflicts = conflicts
    self.seen = seen
  }
}
