package import PaletteMerge
package import PaletteModel

/// The way of writes to durability, and the reports of them.
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
    let transaction = WriteTransaction(
      self,
      parts,
      links,
      author: author,
      collectsChanges: transactions.followsCommits
    )
    let known = identity.ids
    defer { uncounted.insert(transaction.touched) }
    do throws(StoreError) {
      return try transactions.write(transaction) { () throws(StoreError) in try body(transaction) }
    } catch {
      restore(known)
      cache.forget(transaction.touched)
      throw error
    }
  }

  /// Runs `body` and makes everything that it writes durable in one step, at the end.
  ///
  /// Each write inside stands for itself: one that fails leaves nothing and fails no other. Readers
  /// inside see what was written so far. `removeCommitted` gives nothing of it before all is durable.
  ///
  /// All of it is one transaction, so that no reader inside takes a lock of its own.
  ///
  /// - Parameters:
  ///   - body: Any number of reads and writes; their answers are worth nothing if this throws.
  ///   - meanwhile: What can be done while the disk writes, before it is known whether that succeeds.
  ///     It may not use the store, and is left out where nothing is written.
  /// - Throws: Why nothing of it is durable.
  package func group(
    _ body: () -> Void,
    meanwhile: @escaping () -> Void = {}
  ) throws(StoreError) {
    let known = identity.ids
    do throws(StoreError) {
      try transactions.group(body, meanwhile: meanwhile)
    } catch {
      restore(known)
      cache.forgetAll()
      uncounted.insertAll()
      throw error
    }
  }

  /// Forgets what transactions that were undone did to the node's ids and the places it gives.
  private func restore(_ ids: Identities) {
    parts.places.forget()
    identity.restore(ids)
  }

  /// Runs `body` on one state of the library, whatever is committed meanwhile.
  public func read<Result>(_ body: () throws -> Result) throws -> Result {
    try transactions.read(body)
  }

  /// The writes of the group so far.
  package var uncommitted: [CommittedChanges] { transactions.uncommitted }

  /// The reason why the last write could not be saved, if it was one of the file or its disk.
  package var writeFailure: StoreError? { transactions.failure }

  /// Fails where the library cannot be read, or cannot be written since its last write failed.
  package func checkUsability() throws(StoreError) {
    _ = try digest()
    try database.checkPlace()
    try transactions.tryAgain()
  }

  /// True if anything was written that the group's end makes durable.
  package var hasUncommittedWrites: Bool { transactions.hasUncommittedWrites }

  /// The number of transactions that were committed since the library was opened.
  package var commitCount: Int { transactions.commitCount }

  /// The time at which the writes of the last group became durable, for measurements.
  package var groupCommitted: ContinuousClock.Instant? { transactions.groupCommitted }

  /// True if what becomes durable is kept for `removeCommitted`.
  package var followsCommits: Bool {
    get { transactions.followsCommits }
    set { transactions.followsCommits = newValue }
  }

  /// True if anything became durable that nobody has asked for yet.
  package var hasCommitted: Bool { transactions.hasCommitted }

  /// Takes out the changes that became durable since, palette by palette, in the order of the
  /// commits.
  ///
  /// Nobody is called in the middle of a commit: whoever wrote asks when it is done with deciding.
  package func removeCommitted() -> [CommittedChanges] { transactions.removeCommitted() }

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

  /// Carries out the edit that settles a conflict.
  package func settle(
    _ edit: Edit,
    in palette: PaletteID,
    by author: AuthorID = .library
  ) throws(StoreError) {
    // The palette's own name is no action of its list.
    guard edit.record == palette.record else { return try act([edit], in: palette, by: author) }
    try write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.author(edit)
    }
  }
}
