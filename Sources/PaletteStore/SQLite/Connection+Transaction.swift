import CSQLite

extension Connection {
  /// Runs `body` in a transaction that holds the write lock from its first moment.
  ///
  /// Everything or nothing: when `body` throws, or the commit fails, nothing of it stays. There is
  /// no transaction inside a transaction; trying leaves the outer one as it was.
  ///
  /// - Throws: What `body` throws, or why the transaction could not begin or commit.
  package func transaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin()
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction, for owners who cannot lend themselves to a closure.
  package func begin() throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
  }

  /// Makes the transaction durable; when that fails, rolls it back.
  package func commit() throws(StoreError) {
    do throws(StoreError) {
      try execute("COMMIT")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Undoes the open transaction, if there is one.
  ///
  /// A full disk or a failed write makes SQLite roll back by itself, so none may be open. The
  /// rollback of an open one only fails for reasons that closing the database settles as well.
  package func rollBack() {
    guard isInTransaction else { return }
    sqlite3_exec(handle.pointer, "ROLLBACK", nil, nil, nil)
  }
}
