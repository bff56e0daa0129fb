import PaletteModel

/// The rows of palettes in memory, beside those on disk, for as long as a node runs.
///
/// A library has one writer, so what it wrote last is what is there. What an undone transaction may
/// have put here of a palette is forgotten with it.
final class PaletteCache {
  /// The cached state of one palette; an object, so that nothing is copied to alter a part of it.
  private final class Entry {
    var row: PaletteRow
    var streams: StreamTable?
    /// True if it is known that nothing is ahead.
    var hasNothingAhead = false
    /// The undo stack of whoever made the last action here, and who that was.
    var actions: (author: AuthorID, stack: ActionStack)?
    /// The time of the last moment noted, where one was looked for.
    var moment: Int64?
    /// The shown values of the records that the last transaction wrote.
    var records: [ShownRecord] = []

    init(row: PaletteRow) {
      self.row = row
    }

    /// About how much memory it takes: a row and the table around it, each author, each record.
    var bytes: Int {
      512 + (row.title?.utf8.count ?? 0) + (streams?.all.count ?? 0) * 128
        + records.reduce(0) { $0 + 256 + $1.byteCount }
    }
  }

  private let entries: RecentCache<PaletteID, Entry>
  /// Palettes of which it is known that nothing is held: those that are about to come are asked for
  /// several times.
  private var absent: Set<PaletteID> = []
  private static let absentLimit = 4_096

  init(byteLimit: Int) {
    entries = RecentCache(byteLimit: byteLimit)
  }

  /// Keeps at most so many bytes from now on.
  func limit(toBytes limit: Int) { entries.limit(toBytes: limit) }

  func row(of palette: PaletteID) -> PaletteRow? { entries[palette]?.row }

  func streams(of palette: PaletteID) -> StreamTable? { entries[palette]?.streams }

  func hasNothingAhead(in palette: PaletteID) -> Bool {
    entries[palette]?.hasNothingAhead ?? false
  }

  /// The undo stack of an author, if the last action was its own.
  func actions(of palette: PaletteID, by author: AuthorID) -> ActionStack? {
    guard let actions = entries[palette]?.actions, actions.author == author else { return nil }
    return actions.stack
  }

  func moment(of palette: PaletteID) -> Int64? { entries[palette]?.moment }

  func record(_ id: RecordID, of palette: PaletteID) -> ShownRecord? {
    entries[palette]?.records.first { $0.id == id }
  }

  /// Forgets records, before they are written.
  func forgetRecords(of palette: PaletteID) { entries[palette]?.records = [] }

  /// Forgets all that is known of a palette.
  func forget(_ palette: PaletteID) {
    entries.remove(palette)
    absent.remove(palette)
  }

  /// Forgets everything.
  func forgetAll() {
    entries.removeAll()
    absent = []
  }

  /// Returns whether it is known that nothing is held of a palette.
  func isAbsent(_ palette: PaletteID) -> Bool { absent.contains(palette) }

  /// Remembers that there is no row of a palette.
  func rememberAbsence(of palette: PaletteID) {
    if absent.count >= Self.absentLimit { absent = [] }
    absent.insert(palette)
  }

  /// Keeps a row that was read or written.
  func keep(_ row: PaletteRow) {
    absent.remove(row.id)
    let entry = Entry(row: row)
    entries.insert(entry, for: row.id, bytes: entry.bytes)
  }

  /// Keeps what was read of a palette whose row is kept.
  func keep(_ streams: StreamTable, of palette: PaletteID) {
    entries.update(palette) { entry in
      entry.streams = StreamTable(copying: streams)
      return entry.bytes
    }
  }

  func rememberNothingAhead(in palette: PaletteID) {
    entries[palette]?.hasNothingAhead = true
  }

  /// Keeps what a transaction wrote and learned; nil is what it did not look at.
  func keep(
    _ row: PaletteRow,
    _ streams: StreamTable,
    _ records: [ShownRecord],
    hasAhead: Bool,
    actions: (author: AuthorID, stack: ActionStack)?,
    moment: Int64?
  ) {
    if entries[row.id] == nil { keep(row) }
    entries.update(row.id) { entry in
      entry.row = row
      entry.streams = StreamTable(copying: streams)
      entry.records = records
      entry.hasNothingAhead = !hasAhead
      if let actions { entry.actions = actions }
      if let moment { entry.moment = moment }
      return entry.bytes
    }
  }
}
