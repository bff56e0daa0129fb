import PaletteModel

/// The rows of palettes in memory, beside those on disk, for as long as a node runs.
///
/// A library has one writer, so what it wrote last is what is there. What an undone transaction may
/// have put here is forgotten with it.
struct PaletteCache {
  /// What is known of one palette; an object, so that nothing is copied to alter a part of it.
  private final class Entry {
    var row: PaletteRow
    var streams: StreamTable?
    /// Whether it is known that nothing is ahead.
    var hasNothingAhead = false
    /// The library's own undo stack, where an action was made.
    var actions: ActionStack?
    /// The time of the last moment noted, where one was looked for.
    var moment: Int64?
    /// What is shown of the records that the last transaction wrote.
    var records: [ShownRecord] = []

    init(row: PaletteRow) {
      self.row = row
    }
  }

  /// The most palettes that are kept.
  private static let limit = 256
  private var entries: [PaletteID: Entry] = [:]

  func row(of palette: PaletteID) -> PaletteRow? { entries[palette]?.row }

  func streams(of palette: PaletteID) -> StreamTable? { entries[palette]?.streams }

  func hasNothingAhead(in palette: PaletteID) -> Bool {
    entries[palette]?.hasNothingAhead ?? false
  }

  func actions(of palette: PaletteID) -> ActionStack? { entries[palette]?.actions }

  func moment(of palette: PaletteID) -> Int64? { entries[palette]?.moment }

  func record(_ id: RecordID, of palette: PaletteID) -> ShownRecord? {
    entries[palette]?.records.first { $0.id == id }
  }

  /// Forgets records, before they are written.
  mutating func forgetRecords(of palette: PaletteID) { entries[palette]?.records = [] }

  /// Keeps a row that was read.
  mutating func keep(_ row: PaletteRow) {
    if entries.count >= Self.limit { entries = [:] }
    entries[row.id] = Entry(row: row)
  }

  /// Keeps what was read of a palette whose row is kept.
  mutating func keep(_ streams: StreamTable, of palette: PaletteID) {
    entries[palette]?.streams = StreamTable(copying: streams)
  }

  mutating func noteNothingAhead(in palette: PaletteID) {
    entries[palette]?.hasNothingAhead = true
  }

  /// Keeps what a transaction wrote and learned; nil is what it did not look at.
  mutating func keep(
    _ row: PaletteRow,
    _ streams: StreamTable,
    _ records: [ShownRecord],
    hasAhead: Bool,
    actions: ActionStack?,
    moment: Int64?
  ) {
    if entries[row.id] == nil { keep(row) }
    guard let entry = entries[row.id] else { return }
    entry.row = row
    entry.streams = StreamTable(copying: streams)
    entry.records = records
    entry.hasNothingAhead = !hasAhead
    if let actions { entry.actions = actions }
    if let moment { entry.moment = moment }
  }
}
