public import PaletteMerge
public import PaletteModel

/// The outcome of a snapshot.
public struct SnapshotOutcome: Hashable, Sendable {
  /// The reason why it cannot be merged, and then nothing was kept of it; nil when it was merged.
  public let refused: SnapshotRefusal?
  /// The number of listed colors it removed, and the palette's own name: their values are gone, and
  /// no others came in their place.
  public let removed: Int

  /// The reason why it was refused, in a word.
  public var refusal: Refusal? { refused?.reason }

  init(refused: SnapshotRefusal? = nil, removed: Int = 0) {
    self.refused = refused
    self.removed = removed
  }
}

/// The records that a snapshot removes while it is merged.
///
/// Its sender says that their values were replaced, and has no others: honest libraries never do,
/// because a record that was whole stays whole. The merge believes it, or libraries would differ; but
/// what was shown is kept until the horizon of compaction, so that it can be restored.
struct SnapshotRemovals {
  /// The number of them that were listed.
  private(set) var listed = 0
  private var arrival: Int64?

  /// Compares a record before and after the merge.
  mutating func record(
    _ id: RecordID,
    _ old: RecordState,
    leaving new: RecordState,
    in palette: PaletteWriter
  ) throws(StoreError) {
    let isPalette = id == palette.row.id.record
    guard old.isWhole(isPalette), !new.isWhole(isPalette) else { return }
    let image = try RecordRowBuilder(old, isPalette: isPalette) { dot throws(StoreError) in
      try palette.facts(of: dot)
    }
    let wasListed = isPalette ? palette.streams.isVisible : image.listed == 1
    if wasListed { listed += 1 }
    // It stands among the arrivals, so that its age is known as that of a change is.
    let arrival: Int64
    if let known = self.arrival { arrival = known } else { arrival = try palette.nextArrival() }
    self.arrival = arrival
    let insert = try palette.store.database.prepare(
      """
      REPLACE INTO removal(palette, uuid, arrival, listed, place, color, name, note)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    )
    try insert.bind(palette.row.number, at: 1)
    try insert.bind(id, at: 2)
    try insert.bind(arrival, at: 3)
    try insert.bind(wasListed ? 1 : Int64(0), at: 4)
    try insert.bind(image.place?.bytes, at: 5)
    try insert.bind(image.shownValue(.color)?.value.encoded, at: 6)
    try insert.bind(image.shownValue(.name)?.value.text, at: 7)
    try insert.bind(image.shownValue(.note)?.value.text, at: 8)
    try insert.run()
  }
}

extension RecordState {
  /// Returns whether it has all that a color, or a palette, needs to be shown.
  fileprivate func isWhole(_ isPalette: Bool) -> Bool {
    isPalette ? values.contains { $0.register == .name } : isComplete
  }
}

extension PaletteWriter {
  /// A number among the arrivals for something that is no change.
  fileprivate func nextArrival() throws(StoreError) -> Int64 {
    try insertMoment()
    return draft.nextArrival()
  }

  /// Forgets the records that snapshots removed before an arrival.
  ///
  /// - Returns: Those that were removed later, whose changes stay.
  func forgetRemovals(beforeArrival bound: Int64) throws(StoreError) -> Set<RecordID> {
    let delete = try store.database.prepare(
      "DELETE FROM removal WHERE palette = ?1 AND arrival < ?2"
    )
    try delete.bind(row.number, at: 1)
    try delete.bind(bound, at: 2)
    try delete.run()
    let select = try store.database.prepare("SELECT uuid FROM removal WHERE palette = ?1")
    try select.bind(row.number, at: 1)
    var records: Set<RecordID> = []
    try select.rows { row throws(StoreError) in records.insert(try row.recordID(0)) }
    return records
  }
}

extension ChangeStore {
  /// The records that a snapshot removed and that are still gone; a palette's own record lacks its
  /// name.
  private static let stillRemoved = """
    FROM removal JOIN palette ON palette.id = removal.palette
    LEFT JOIN record ON record.palette = removal.palette AND record.uuid = removal.uuid
    WHERE (record.name IS NULL OR removal.uuid <> palette.uuid
      AND (record.color IS NULL OR record.place IS NULL))
    """

  /// The names of a palette's colors that a snapshot removed.
  func removalNames(of palette: PaletteRow) throws(StoreError) -> [(id: RecordID, name: String)] {
    let select = try database.prepare(
      """
      SELECT removal.uuid, removal.name \(Self.stillRemoved)
      AND palette.id = ?1 AND removal.uuid <> palette.uuid
      """
    )
    try select.bind(palette.number, at: 1)
    var names: [(id: RecordID, name: String)] = []
    try select.rows { row throws(StoreError) in names.append((try row.recordID(0), row.text(1))) }
    return names
  }

  /// The names of palettes whose own names a snapshot removed.
  public func removedPaletteNames() throws(StoreError) -> [(id: PaletteID, name: String)] {
    let select = try database.prepare(
      "SELECT palette.uuid, removal.name \(Self.stillRemoved) AND removal.uuid = palette.uuid"
    )
    var names: [(id: PaletteID, name: String)] = []
    try select.rows { row throws(StoreError) in
      names.append((PaletteID(try row.recordID(0)), row.text(1)))
    }
    return names
  }

  /// The edit that brings back a color that was removed: by its old place, or by all that was shown
  /// of it where a snapshot removed its values.
  ///
  /// - Returns: The edit; nil when nothing is known of the color.
  public func restoring(_ record: RecordID, in id: PaletteID) throws(StoreError) -> Edit? {
    guard let palette = try paletteRow(id) else { return nil }
    if let edit = try addingBack(record, in: palette).first { return edit }
    guard let place = try shownRecord(record, in: palette)?.place else { return nil }
    return .restore(record, [.place: RegisterValue(placeBytes: place.bytes)])
  }

  /// The edits that bring back the listed colors of a palette that a snapshot removed.
  public func restoringRemovals(of id: PaletteID) throws(StoreError) -> [Edit] {
    guard let palette = try paletteRow(id) else { return [] }
    return try addingBack(nil, in: palette)
  }

  /// Adds one color again, or all that were listed; without those that are there.
  private func addingBack(
    _ record: RecordID?,
    in palette: PaletteRow
  ) throws(StoreError) -> [Edit] {
    let condition = record == nil ? "removal.listed = 1" : "removal.uuid = ?2"
    let select = try database.prepare(
      """
      SELECT removal.uuid, removal.name, removal.color, removal.place, removal.note
      \(Self.stillRemoved) AND palette.id = ?1 AND removal.uuid <> palette.uuid AND \(condition)
      """
    )
    try select.bind(palette.number, at: 1)
    if let record { try select.bind(record, at: 2) }
    var edits: [Edit] = []
    try select.rows { row throws(StoreError) in
      let name = RegisterValue(text: row.text(1))
      let color = row.withBytes(2) { RegisterValue(encoded: $0) }
      let place = row.withBytes(3) { RegisterValue(placeBytes: $0) }
      let id = try row.recordID(0)
      if row.isNull(4) {
        edits.append(.add(id, [.name: name, .color: color, .place: place]))
      } else {
        let note = RegisterValue(text: row.text(4))
        edits.append(.add(id, [.name: name, .color: color, .place: place, .note: note]))
      }
    }
    return edits
  }
}
