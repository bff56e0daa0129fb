import PaletteMerge
import PaletteModel

/// A palette's row as a transaction leaves it: its digest, its counts, and how far its past is known.
final class PaletteRowDraft {
  private(set) var row: PaletteRow
  /// The row as it is on disk.
  let stored: PaletteRow
  private let numbers: RowNumbers
  /// The place behind which new colors are appended, where it has risen.
  private var last = PlaceBound()

  init(_ row: PaletteRow, numbers: RowNumbers) {
    self.row = row
    stored = row
    self.numbers = numbers
  }

  /// Gives the row its number before the first thing that is written of the palette.
  ///
  /// So changes that are refused leave no row, whatever palette they name.
  func begin() throws(StoreError) {
    if row.number == 0 { row.number = try numbers.nextPalette() }
  }

  /// Adds a value or a head of an author to the digest.
  func add(_ digest: Digest) { row.digest += digest }

  /// Removes a value or a head of an author from the digest.
  func subtract(_ digest: Digest) { row.digest -= digest }

  /// Counts colors that came into the list or left it, and registers that came into conflict or out of it.
  func count(colors: Int, conflicts: Int = 0) {
    row.colors += colors
    row.conflicts += conflicts
  }

  /// The number of what arrives now.
  func nextArrival() -> Int64 {
    defer { row.arrivals += 1 }
    return row.arrivals
  }

  /// Goes on numbering arrivals from here.
  func skipArrivals(to next: Int64) { row.arrivals = next }

  /// The past is known since this time at the earliest.
  func forgetPast(beforeMilliseconds milliseconds: Int64) {
    row.sinceMilliseconds = max(row.sinceMilliseconds ?? .min, milliseconds)
  }

  /// The past is known since this time; nil for all of it.
  func setPast(sinceMilliseconds milliseconds: Int64?) { row.sinceMilliseconds = milliseconds }

  /// Lowers the bound behind which new colors are appended; nil is the beginning.
  func lowerBound(to place: Place?) {
    last = PlaceBound()
    row.last = place
  }

  /// Raises the bound behind which new colors are appended.
  func raiseBound(to value: RegisterValue) { last.raise(to: value, over: row.last) }

  // MARK: Writing

  /// The place index of the palette was made.
  func usesPlaceIndex() { row.hasPlaceIndex = true }

  /// The places of the changed records before the write, if the place index is in use.
  func placesBefore(
    _ changed: @autoclosure () -> [RecordID],
    in database: StoreDatabase
  ) throws(StoreError) -> PlaceIndex.Before? {
    guard row.hasPlaceIndex else { return nil }
    return try PlaceIndex.before(changed(), in: &row, database)
  }

  /// Sets what lists of palettes show.
  func setTitle(_ title: String?) { row.title = title }

  /// Writes the row: a new one at once, with all that is known of it by now.
  func write(isDropped: Bool, isRebuilt: Bool, to database: StoreDatabase) throws(StoreError) {
    if isRebuilt { row.hasPlaceIndex = false }
    row.last = last.place ?? row.last
    row.isDropped = isDropped
    let isNew = stored.number == 0
    let write = try database.box(isNew ? .insertPalette : .updatePalette)
    try write.statement.bind(row.number, at: 1)
    try write.statement.bind(Int64(row.colors), at: 2)
    try write.statement.bind(Int64(row.conflicts), at: 3)
    try write.statement.bind(row.digest.bytes, at: 4)
    try write.statement.bind(row.arrivals, at: 5)
    try write.statement.bind(row.last?.bytes, at: 6)
    try write.statement.bind(row.sinceMilliseconds, at: 7)
    try write.statement.bind(row.hasPlaceIndex ? 1 : 0, at: 8)
    if isNew {
      try write.statement.bind(row.id.record, at: 9)
      try write.statement.bind(row.title, at: 10)
      try write.statement.bind(row.isDropped ? 1 : 0, at: 11)
    }
    try write.statement.run()
    // Else their index would be written again with every edit.
    guard !isNew, row.title != stored.title || row.isDropped != stored.isDropped else { return }
    let update = try database.box(.retitlePalette)
    try update.statement.bind(row.number, at: 1)
    try update.statement.bind(row.title, at: 2)
    try update.statement.bind(row.isDropped ? 1 : 0, at: 3)
    try update.statement.run()
  }
}
