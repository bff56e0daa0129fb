public import PaletteModel

/// One color as a palette file has it.
public struct FileEntry: Hashable, Sendable {
  /// The identity, in formats that keep one.
  public var id: RecordID?
  /// The name, nil where the file has none.
  public var name: String?
  /// The color.
  public var color: Color
  /// The note; nil where the format has none, empty where the file says that there is none.
  public var note: String?
  /// Whether the format holds bytes only, so that the color may be the rounding of a finer one.
  public var isRounded: Bool
  /// Whether the file says how opaque the color is.
  public var hasAlpha: Bool

  /// Whether the name is an identifier, so that it may stand for one that is spelled otherwise.
  public var isIdentifier: Bool

  /// Creates an entry.
  public init(
    id: RecordID? = nil,
    name: String? = nil,
    color: Color,
    note: String? = nil,
    isRounded: Bool = false,
    hasAlpha: Bool = true,
    isIdentifier: Bool = false
  ) {
    self.id = id
    self.name = name
    self.color = color
    self.note = note
    self.isRounded = isRounded
    self.hasAlpha = hasAlpha
    self.isIdentifier = isIdentifier
  }
}
