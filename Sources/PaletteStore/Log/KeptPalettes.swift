import PaletteModel

/// The rows of palettes in memory, beside those on disk, for as long as a node runs.
///
/// A library has one writer, so what it wrote last is what is there. What an undone transaction may
/// have put here is forgotten with it.
struct KeptPalettes {
  /// What is known of one palette.
  private struct Entry {
    var row: PaletteRow
    var streams: StreamTable?
    /// The palette's own name, where it was read.
    var title: String?
    /// Whether it is known that nothing is ahead.
    var hasNothingAhead = false
  }

  /// The most palettes that are kept.
  private static let limit = 256

  private var entries: [PaletteID: Entry] = [:]

  func row(of palette: PaletteID) -> PaletteRow? { entries[palette]?.row }

  func streams(of palette: PaletteID) -> StreamTable? { entries[palette]?.streams }

  func title(of palette: PaletteID) -> String? { entries[palette]?.title }

  func hasNothingAhead(in palette: PaletteID) -> Bool {
    entries[palette]?.hasNothingAhead ?? false
  }

  /// Keeps a row that was read.
  mutating func keep(_ row: PaletteRow) {
    if entries.count >= Self.limit { entries = [:] }
    entries[row.id] = Entry(row: row)
  }

  /// Keeps what was read of a palette whose row is kept.
  mutating func keep(_ streams: StreamTable, of palette: PaletteID) {
    entries[palette]?.streams = streams
  }

  mutating func keep(title: String, of palette: PaletteID) { entries[palette]?.title = title }

  mutating func noteNothingAhead(in palette: PaletteID) {
    entries[palette]?.hasNothingAhead = true
  }

  /// Keeps what a transaction wrote.
  mutating func keep(
    _ row: PaletteRow,
    _ streams: StreamTable,
    hasAhead: Bool,
    isRenamed: Bool
  ) {
    let title = isRenamed ? nil : entries[row.id]?.title
    keep(row)
    entries[row.id]?.streams = streams
    entries[row.id]?.title = title
    entries[row.id]?.hasNothingAhead = !hasAhead
  }
}
