/// Writes that become durable together.
struct WriteGroup {
  /// What the writes so far did, to be taken when it is durable.
  var committed: [CommittedChanges] = []
  /// Whether the transaction was begun: at once, or else by the first write.
  var hasBegun = false
  /// Whether anything was written.
  var hasWritten = false
  /// Why the whole group failed already: SQLite rolled the transaction back by itself.
  var failure: StoreError?
}

extension ChangeStore {
  /// Runs `body` and makes everything that it writes durable in one step, at the end.
  ///
  /// Each write inside stands for itself: one that fails leaves nothing and fails no other. Readers
  /// inside see what was written so far. `takeCommitted` gives nothing of it before all is durable.
  ///
  /// All of it is one transaction, so that no reader inside takes a lock of its own.
  ///
  /// - Parameters:
  ///   - body: Any number of reads and writes; their answers are worth nothing if this throws.
  ///   - meanwhile: What can be done while the disk writes, before it is known whether that succeeds.
  ///     It may not use the store, and is left out where nothing is written.
  /// - Throws: Why nothing of it is durable.
  public func group(
    _ body: () -> Void,
    meanwhile: @escaping () -> Void = {}
  ) throws(StoreError) {
    precondition(group == nil, "a group of writes holds no other group")
    group = WriteGroup()
    defer { retiring = nil }
    beginGroup()
    let known = ids
    body()
    guard let ended = group else { return }
    group = nil
    guard ended.hasBegun, ended.hasWritten else { return endReading() }
    if let failure = ended.failure {
      generator = nil
      forgetState()
      ids = known
      throw failure
    }
    do throws(StoreError) {
      let commit = try box(.commit)
      let meanwhile = { [unowned self] in
        retiring = nil
        meanwhile()
      }
      try connection.overlap(meanwhile) { () throws(StoreError) in try commit.statement.run() }
    } catch {
      connection.rollBack()
      generator = nil
      forgetState()
      ids = known
      throw error
    }
    commitCount += 1
    groupCommitted = .now
    keep(ended.committed)
  }

  private func beginGroup() {
    do throws(StoreError) {
      try box(.beginGroup).statement.run()
      group?.hasBegun = true
    } catch {
      // Reading goes on; the first write tries again, and fails with the reason.
    }
  }

  /// What the writes of the group did so far.
  public var uncommitted: [CommittedChanges] { group?.committed ?? [] }

  /// Whether anything was written that the group's end makes durable.
  public var hasUncommittedWrites: Bool { group?.hasWritten ?? false }

  /// One write of a group: the first is the whole transaction so far, a later one a savepoint of it.
  ///
  /// Most groups have one write, and a savepoint copies every page that it alters.
  func writeInGroup<Result>(
    as author: AuthorID,
    _ body: (WriteTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if let failure = group?.failure { throw failure }
    if group?.hasBegun == false {
      try box(.beginGroup).statement.run()
      group?.hasBegun = true
    }
    // What it holds would have to be copied otherwise.
    retiring = nil
    let isFirst = group?.hasWritten == false
    let transaction = WriteTransaction(self, author: author)
    let known = ids
    do throws(StoreError) {
      if !isFirst { try box(.beginWrite).statement.run() }
      let result = try body(transaction)
      try transaction.flush()
      if !isFirst { try box(.endWrite).statement.run() }
      group?.hasWritten = true
      group?.committed += transaction.committed
      retiring = transaction
      return result
    } catch {
      generator = nil
      forgetState(of: transaction.touched)
      ids = known
      if isFirst { undoFirstWrite() } else { undoWrite(because: error) }
      throw error
    }
  }

  /// Takes back all there is; the next write begins anew.
  private func undoFirstWrite() {
    connection.rollBack()
    group?.hasBegun = false
  }

  /// Takes back the write that failed; where SQLite took back all of them, the group has failed.
  private func undoWrite(because error: StoreError) {
    guard connection.isInTransaction else {
      group?.failure = error
      return
    }
    do throws(StoreError) {
      try connection.execute("ROLLBACK TO write; RELEASE write")
    } catch {
      connection.rollBack()
      group?.failure = error
    }
  }
}
