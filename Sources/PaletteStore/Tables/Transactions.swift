/// The writes of one transaction in palettes, finished when the transaction ends.
protocol PendingWrites: AnyObject {
  /// Writes back what is kept in memory.
  func flush() throws(StoreError)
  /// The written changes, to be reported once they are durable.
  var committed: [CommittedChanges] { get }
}

/// The transactions of a library: single ones, and groups of writes that become durable together.
///
/// When a write throws, the caller undoes what it altered in memory.
final class Transactions {
  /// Writes that become durable together.
  private struct Group {
    /// The changes of the writes so far.
    var committed: [CommittedChanges] = []
    /// True if the transaction was begun: at once, or else by the first write.
    var hasBegun = false
    /// True if anything was written.
    var hasWritten = false
    /// The reason why the whole group failed already: SQLite rolled the transaction back by itself.
    var failure: StoreError?
  }

  private let database: StoreDatabase
  private let edits: EditLog
  private let isWritable: Bool
  /// The way of commits through the library's log; nil where it has none.
  private var logged: LoggedCommits?
  private var group: Group?
  /// The group's newest write, which is freed while the disk writes.
  private var retiring: (any PendingWrites)?
  /// The durable changes that were not collected yet.
  private var waiting: [CommittedChanges] = []

  /// Writes what needs no commit of its own, within the next one of a library that has a log.
  var writeAlong: () throws(StoreError) -> Void = { () throws(StoreError) in }

  /// The number of transactions that were committed.
  private(set) var commitCount = 0
  /// The time at which the writes of the last group became durable.
  private(set) var groupCommitted: ContinuousClock.Instant?

  /// The reason why the last write could not be saved, if it was one of the file or its disk.
  private(set) var failure: StoreError?

  /// True if what becomes durable is kept for `removeCommitted`.
  var followsCommits = false {
    didSet { if !followsCommits { waiting = [] } }
  }

  init(_ database: StoreDatabase, _ edits: EditLog, isWritable: Bool) {
    self.database = database
    self.edits = edits
    self.isWritable = isWritable
  }

  /// True if the library has a log, which keeps each commit for a while.
  var isLogged: Bool { logged != nil }

  /// Sends each commit from now on through a log.
  func follow(
    _ log: any CommitLog,
    recording isRecorded: @escaping (String) -> Bool
  ) throws(StoreError) {
    logged = try LoggedCommits(database, log, recording: isRecorded)
  }

  /// Keeps what became durable for `removeCommitted`; mostly nothing waits, and nothing is copied then.
  private func keep(_ committed: [CommittedChanges]) {
    if waiting.isEmpty { waiting = committed } else { waiting += committed }
  }

  /// True if anything waits for `removeCommitted`.
  var hasCommitted: Bool { !waiting.isEmpty }

  /// Takes out the changes that became durable since, in the order of the commits.
  func removeCommitted() -> [CommittedChanges] {
    defer { waiting = [] }
    return waiting
  }

  /// The changes of the group's writes so far.
  var uncommitted: [CommittedChanges] { group?.committed ?? [] }

  /// True if anything was written that the group's end makes durable.
  var hasUncommittedWrites: Bool { group?.hasWritten ?? false }

  /// Runs `body` on one state of the library, whatever is committed meanwhile.
  func read<Result>(_ body: () throws -> Result) throws -> Result {
    guard !database.connection.isInTransaction else { return try body() }
    try database.box(.beginReading).statement.run()
    defer { endReading() }
    return try body()
  }

  /// Ends a transaction in which nothing was written.
  private func endReading() {
    guard database.connection.isInTransaction else { return }
    do throws(StoreError) {
      try database.box(.endReading).statement.run()
    } catch {
      database.connection.rollBack()
    }
  }

  /// Runs `body` in a transaction; within a group, what it wrote is durable when the group is.
  ///
  /// - Parameters:
  ///   - changes: The changes that `body` makes; nil where it writes other tables only.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why it cannot be made durable; then nothing of it stays.
  func write<Result>(
    _ changes: (any PendingWrites)? = nil,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard isWritable else {
      throw StoreError(code: .readOnly, message: "the library is open for reading only")
    }
    if group != nil { return try writeInGroup(changes, body) }
    try database.box(.beginGroup).statement.run()
    do throws(StoreError) {
      let result = try run(changes, body)
      try commit { () throws(StoreError) in try database.connection.commit() }
      committed(changes?.committed ?? [])
      return result
    } catch {
      rollBack()
      remember(error)
      throw error
    }
  }

  private func committed(_ changes: [CommittedChanges]) {
    commitCount += 1
    failure = nil
    if followsCommits { keep(changes) }
  }

  private func remember(_ error: StoreError) {
    if error.isOfStorage { failure = error }
  }

  /// Writes something that changes nothing, after the last write has failed.
  func tryAgain() throws(StoreError) {
    guard failure != nil, !isLogged, group == nil else { return }
    try write { () throws(StoreError) in
      try database.connection.setUserVersion(database.connection.userVersion)
    }
  }

  /// Commits, through the log if there is one.
  private func commit(_ commit: () throws(StoreError) -> Void) throws(StoreError) {
    try database.checkPlace()
    guard let logged else { return try commit() }
    try writeAlong()
    try logged.commit(commit)
  }

  /// Rolls back all that was not committed.
  private func rollBack() {
    database.connection.rollBack()
    // Without memory for the next transaction nothing commits, and the next one says why.
    try? logged?.forget()
  }

  private func run<Result>(
    _ changes: (any PendingWrites)?,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = try body()
    try edits.recordCurrent()
    try changes?.flush()
    return result
  }

  /// Runs `body` and makes everything that it writes durable in one step, at the end.
  ///
  /// - Parameters:
  ///   - body: Any number of reads and writes.
  ///   - meanwhile: What can be done while the disk writes. It is left out where nothing is written.
  /// - Throws: Why nothing of it is durable.
  func group(
    _ body: () -> Void,
    meanwhile: @escaping () -> Void
  ) throws(StoreError) {
    precondition(group == nil, "a group of writes holds no other group")
    group = Group()
    defer { retiring = nil }
    // Where it fails reading goes on; the first write tries again, and fails with the reason.
    do throws(StoreError) { try beginGroup() } catch {}
    body()
    guard let ended = group else { return }
    group = nil
    guard ended.hasBegun, ended.hasWritten else { return endReading() }
    if let failure = ended.failure {
      rollBack()
      remember(failure)
      throw failure
    }
    do throws(StoreError) {
      let commit = try database.box(.commit)
      let meanwhile = { [unowned self] in
        retiring = nil
        meanwhile()
      }
      try self.commit { () throws(StoreError) in
        try database.connection.overlap(meanwhile) { () throws(StoreError) in
          try commit.statement.run()
        }
      }
    } catch {
      rollBack()
      remember(error)
      throw error
    }
    groupCommitted = .now
    committed(ended.committed)
  }

  private func beginGroup() throws(StoreError) {
    try database.box(.beginGroup).statement.run()
    group?.hasBegun = true
  }

  /// One write of a group: the first is the whole transaction so far, a later one a savepoint of it.
  ///
  /// Most groups have one write, and a savepoint copies every page that it alters.
  private func writeInGroup<Result>(
    _ changes: (any PendingWrites)?,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    if let failure = group?.failure { throw failure }
    if group?.hasBegun == false { try beginGroup() }
    // What it holds would have to be copied otherwise.
    retiring = nil
    let isFirst = group?.hasWritten == false
    do throws(StoreError) {
      if !isFirst { try database.box(.beginWrite).statement.run() }
      let result = try run(changes, body)
      if !isFirst { try database.box(.endWrite).statement.run() }
      group?.hasWritten = true
      if let changes { group?.committed += changes.committed }
      retiring = changes
      return result
    } catch {
      if isFirst { undoFirstWrite() } else { undoWrite(because: error) }
      remember(error)
      throw error
    }
  }

  /// Rolls back everything; the next write begins a new transaction.
  private func undoFirstWrite() {
    rollBack()
    group?.hasBegun = false
  }

  /// Rolls back the failed write; if SQLite rolled back the whole transaction, the group has failed.
  private func undoWrite(because error: StoreError) {
    guard database.connection.isInTransaction else {
      group?.failure = error
      return
    }
    do throws(StoreError) {
      try database.execute("ROLLBACK TO write; RELEASE write")
    } catch {
      rollBack()
      group?.failure = error
    }
  }
}

extension Query {
  fileprivate static let beginReading = Query("BEGIN")
  fileprivate static let endReading = Query("ROLLBACK")
  fileprivate static let beginGroup = Query("BEGIN IMMEDIATE")
  fileprivate static let commit = Query("COMMIT")
  fileprivate static let beginWrite = Query("SAVEPOINT write")
  fileprivate static let endWrite = Query("RELEASE write")
}
