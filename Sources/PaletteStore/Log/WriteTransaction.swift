public import PaletteModel

/// One durable step: changes in any number of palettes, committed together or not at all.
///
/// Rows are read once and written once: what changes is kept here until the end of the transaction.
public final class WriteTransaction {
  let store: ChangeStore
  /// Who makes the changes that come from no other node.
  let author: AuthorID
  private var palettes: [PaletteID: PaletteWriter] = [:]

  init(_ store: ChangeStore, author: AuthorID) {
    self.store = store
    self.author = author
  }

  /// What is written in a palette; nil when nothing of the palette is held.
  public func palette(_ id: PaletteID) throws(StoreError) -> PaletteWriter? {
    if let writer = palettes[id] { return writer }
    guard let row = try store.paletteRow(id) else { return nil }
    return try open(row)
  }

  /// What is written in a palette; one that nothing is held of begins with its first change.
  public func palette(beginning id: PaletteID) throws(StoreError) -> PaletteWriter {
    if let writer = try palette(id) { return writer }
    return try open(PaletteRow(id: id))
  }

  private func open(_ row: PaletteRow) throws(StoreError) -> PaletteWriter {
    let writer = try PaletteWriter(row, store: store, author: author)
    palettes[row.id] = writer
    return writer
  }

  /// The palettes that it looked at to change them.
  var touched: some Sequence<PaletteID> { palettes.keys }

  /// What was written, for those who are to be told when it is durable.
  var committed: [CommittedChanges] {
    palettes.values.compactMap(\.committed).sorted { $0.palette < $1.palette }
  }

  func flush() throws(StoreError) {
    if let edit = store.namedEdit { try store.note(edit, answer: []) }
    var sums = LibrarySums()
    for writer in palettes.values { try writer.flush(into: &sums) }
    try sums.write(to: store)
    if let generator = store.generator, generator != store.storedGenerator {
      try store.connection.setMeta(.placeGenerator, generator.storedBytes)
    }
  }
}

extension ChangeStore {
  /// Runs `body` in a transaction and makes what it wrote durable.
  ///
  /// When it throws, nothing of it is kept. Within a group it is durable when the group is.
  ///
  /// - Parameters:
  ///   - author: Who makes the changes: the library itself, or a member that edits through it.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why it cannot be made durable.
  public func write<Result>(
    as author: AuthorID = .library,
    _ body: (WriteTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard isWritable else {
      throw StoreError(code: .readOnly, message: "the library is open for reading only")
    }
    if group != nil { return try writeInGroup(as: author, body) }
    let transaction = WriteTransaction(self, author: author)
    let known = ids
    let result: Result
    do throws(StoreError) {
      result = try connection.transaction { () throws(StoreError) in
        let result = try body(transaction)
        try transaction.flush()
        return result
      }
    } catch {
      generator = nil
      forgetState(of: transaction.touched)
      ids = known
      throw error
    }
    commitCount += 1
    if followsCommits { keep(transaction.committed) }
    return result
  }

  /// Carries out edits in a palette as one action that can be undone.
  package func act(
    _ edits: [Edit],
    in palette: PaletteID,
    by author: AuthorID = .library
  ) throws(StoreError) {
    guard !edits.isEmpty else { return }
    try write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.act(edits)
    }
  }
}
