public import PaletteMerge
public import PaletteModel

/// The shown values of a record, whether it is listed or not.
public struct ShownRecord: Sendable {
  /// The record.
  public let id: RecordID
  /// The shown name.
  public let name: String?
  /// The shown color.
  public let color: Color?
  /// The shown place.
  public let place: Place?
  /// The shown note; nil when none was ever written.
  public let note: String?
  /// The registers with different live values.
  public let conflicts: [Register]
  /// True if every live dot is covered.
  public let isDeleted: Bool
  /// True if it is in the palette's list.
  public let isListed: Bool
  /// The live values; nil where nobody asked for them.
  public let seen: SeenValues?

  /// Reads the columns of `Query.record`.
  init(_ id: RecordID, _ row: borrowing Statement, seen: SeenValues?) {
    self.init(
      id,
      RecordFlags(rawValue: row.int64(0)),
      name: row.isNull(3) ? nil : row.text(3),
      color: row.isNull(2) ? nil : row.withBytes(2) { Color(encoded: $0) },
      place: row.withBytes(1) { Place($0) },
      note: row.isNull(4) ? nil : row.text(4),
      seen: seen
    )
  }

  init(
    _ id: RecordID,
    _ flags: RecordFlags,
    name: String?,
    color: Color?,
    place: Place?,
    note: String?,
    seen: SeenValues?
  ) {
    self.id = id
    self.name = name
    self.color = color
    self.place = place
    self.note = note
    conflicts = flags.conflicts
    isDeleted = flags.contains(.isDeleted)
    isListed = flags.listedColors == 1
    self.seen = seen
  }

  /// About how much memory its texts take.
  var byteCount: Int { (name?.utf8.count ?? 0) + (note?.utf8.count ?? 0) }

  /// The record as a color of a list; nil while it lacks something.
  public var listed: ListedColor? {
    guard let name, let color, let place else { return nil }
    return ListedColor(
      color: NamedColor(id: id, name: name, color: color, note: note ?? ""),
      place: place,
      conflicts: conflicts,
      seen: seen
    )
  }
}
