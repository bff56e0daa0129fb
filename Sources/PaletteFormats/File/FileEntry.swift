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
  /// True if the format holds bytes only, so that the color may be the rounding of a finer one.
  public var isRounded: Bool
  /// True if the file says how opaque the color is.
  public var hasAlpha: Bool

  /// True if the name is an identifier, so that it may stand for one that is spelled otherwise.
  public var isIdentifier: Bool

  /// The place of the entry in the text of its file, in formats that can change it there.
  public var place: EntryPlace?

  /// Creates an entry.
  public init(
    id: RecordID? = nil,
    name: String? = nil,
    color: Color,
    note: String? = nil,
    isRounded: Bool = false,
    hasAlpha: Bool = true,
    isIdentifier: Bool = false,
    place: EntryPlace? = nil
  ) {
    self.id = id
    self.name = name
    self.color = color
    self.note = note
    self.isRounded = isRounded
    self.hasAlpha = hasAlpha
    self.isIdentifier = isIdentifier
    self.place = place
  }
}

extension FileEntry {
  /// Two entries are equal when they say the same, wherever they stand.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.name == right.name && left.color == right.color
      && left.note == right.note && left.isRounded == right.isRounded
      && left.hasAlpha == right.hasAlpha && left.isIdentifier == right.isIdentifier
  }

  /// Hashes what the entry says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(color)
  }
}

extension FileEntry {
  /// True if the file says which entry the color is that of, and no color of its own.
  public var isReference: Bool {
    place?.slots.contains { slot in
      switch slot.meaning {
      case .reference, .tokenReference, .inherited: true
      default: false
      }
    } ?? false
  }
}
