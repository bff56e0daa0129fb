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
  /// The shown texts of the optional registers, in their order; none where all are empty.
  private let texts: [String]
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
    var values = Register.PerKnown<RegisterValue?>(repeating: nil)
    for index in values.indices {
      let register = Register(knownIndex: index)
      let column = SelectedColumns.value(register)
      if !row.isNull(column) { values[index] = row.value(of: register, at: column) }
    }
    self.init(id, RecordFlags(rawValue: row.int64(0)), values, seen: seen)
  }

  /// Describes a record by its shown values.
  init(
    _ id: RecordID,
    _ flags: RecordFlags,
    _ values: Register.PerKnown<RegisterValue?>,
    seen: SeenValues?
  ) {
    func value(_ register: Register) -> RegisterValue? {
      register.knownIndex.flatMap { values[$0] }
    }
    self.id = id
    name = value(.name)?.text
    color = value(.color)?.color
    place = value(.place)?.placeBytes.flatMap { Place(bytes: $0) }
    let texts = Register.optional.map { value($0)?.text ?? "" }
    self.texts = texts.allSatisfy(\.isEmpty) ? [] : texts
    conflicts = flags.conflicts
    isDeleted = flags.contains(.isDeleted)
    isListed = flags.listedColors == 1
    self.seen = seen
  }

  /// The shown text of a register that a color may lack; empty where there is none.
  public func text(of register: Register) -> String {
    guard !texts.isEmpty, let index = Register.optional.firstIndex(of: register) else { return "" }
    return texts[index]
  }

  /// About how much memory its texts take.
  var byteCount: Int { texts.reduce(name?.utf8.count ?? 0) { $0 + $1.utf8.count } }

  /// The record as a color of a list; nil while it lacks something.
  public var listed: ListedColor? {
    guard let name, let color, let place else { return nil }
    var named = NamedColor(id: id, name: name, color: color)
    for (register, text) in zip(Register.optional, texts) { named[text: register] = text }
    return ListedColor(color: named, place: place, conflicts: conflicts, seen: seen)
  }
}
