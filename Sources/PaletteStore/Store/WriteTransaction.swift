public import PaletteModel

/// One durable step: changes in any number of palettes, committed together or not at all.
///
/// Rows are read once and written once: what changes is kept here until the end of the transaction.
public final class WriteTransaction: PendingWrites {
  private let reader: PaletteReader
  private let parts: WriterParts
  private let links: LinkTable
  private let collectsChanges: Bool
  /// The author of the changes that come from no other node.
  private let author: AuthorID
  private var palettes: [PaletteID: PaletteWriter] = [:]
  private let numbers: RowNumbers

  init(
    _ reader: PaletteReader,
    _ parts: WriterParts,
    _ links: LinkTable,
    author: AuthorID,
    collectsChanges: Bool
  ) {
    self.reader = reader
    self.parts = parts
    self.links = links
    self.author = author
    self.collectsChanges = collectsChanges
    numbers = RowNumbers(reader.database)
  }

  /// The writer of a palette; nil if nothing of the palette is held.
  public func palette(_ id: PaletteID) throws(StoreError) -> PaletteWriter? {
    if let writer = palettes[id] { return writer }
    guard let row = try reader.paletteRow(id) else { return nil }
    return try open(row)
  }

  /// The writer of a palette; an unknown palette begins with its first change.
  public func palette(beginning id: PaletteID) throws(StoreError) -> PaletteWriter {
    if let writer = try palette(id) { return writer }
    return try open(PaletteRow(id: id))
  }

  /// Undoes the author's newest action in a palette; nil when there is none.
  public func undo(in palette: PaletteID) throws(StoreError) -> UndoOutcome? {
    guard let writer = try self.palette(palette) else { return nil }
    return try ActionUndo(in: writer).undo()
  }

  /// Redoes the author's action that was undone last in a palette; nil when there is none.
  public func redo(in palette: PaletteID) throws(StoreError) -> UndoOutcome? {
    guard let writer = try self.palette(palette) else { return nil }
    return try ActionUndo(in: writer).redo()
  }

  private func open(_ row: PaletteRow) throws(StoreError) -> PaletteWriter {
    let writer = try PaletteWriter(
      row,
      reader: reader,
      parts: parts,
      author: author,
      numbers: numbers,
      collectsChanges: collectsChanges
    )
    palettes[row.id] = writer
    return writer
  }

  /// The palettes that it looked at to change them.
  var touched: some Sequence<PaletteID> { palettes.keys }

  /// The written changes, to be reported once they are durable.
  var committed: [CommittedChanges] {
    palettes.values.compactMap(\.committed).sorted { $0.palette < $1.palette }
  }

  func flush() throws(StoreError) {
    var sums = LibrarySums()
    // In the order of the tables, in which pages are filled one after the other.
    for writer in palettes.values.sorted(by: { $0.row.number < $1.row.number }) {
      try writer.flush(into: &sums)
    }
    try sums.write(to: reader.database)
    try parts.places.save()
  }

  /// Adds a link, or replaces the one of the same file, together with what else the transaction writes.
  package func save(_ link: StoredLink) throws(StoreError) { try links.insert(link) }
}
