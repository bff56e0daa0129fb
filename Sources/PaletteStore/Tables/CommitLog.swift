import PaletteMerge

/// A log that takes every commit of a library before it is made.
///
/// Such a library's file is a cache of its log. Without a log nothing is recorded.
package protocol CommitLog: AnyObject {
  /// Appends a commit as the next entry; it is durable when this returns.
  ///
  /// - Parameter changes: A changeset of SQLite, never empty.
  /// - Returns: The position of the entry, which the commit keeps.
  /// - Throws: `StoreError` where the entry was not taken; the transaction is rolled back as it is when
  ///   the disk is full, and the library can be written again.
  func append(_ changes: [UInt8]) throws(StoreError) -> CachePosition

  /// Reports that the file has the entry that was appended last.
  func committed(at position: CachePosition)

  /// Reports that the log has an entry which the file lacks.
  ///
  /// The store fails from now on, whatever it is asked, until it is opened again.
  func commitFailed(at position: CachePosition, because error: StoreError)
}

/// The newest entry of a library's log that its file holds.
package struct CachePosition: Hashable, Sendable {
  /// The length of a hash.
  package static let hashBytes = 16

  /// The number of the entry; 0 before the first one.
  package let number: Int64
  /// The epoch of the owner that appended it.
  package let epoch: Int64
  /// The hash of the entry, over all that came before it.
  package let hash: [UInt8]

  /// Names an entry.
  package init(number: Int64, epoch: Int64, hash: [UInt8]) {
    self.number = number
    self.epoch = epoch
    self.hash = hash
  }

  /// The position before the first entry of a log.
  package static let start = CachePosition(
    number: 0,
    epoch: 0,
    hash: [UInt8](repeating: 0, count: hashBytes)
  )

  /// The position of the entry behind this one.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the owner that appends it.
  ///   - content: The changes as the log keeps them; of a jump, the hash of its image.
  /// - Returns: The position, whose hash is BLAKE2b-128 over the hash before it, number, epoch (eight
  ///   bytes each, most significant first) and content.
  package func next(epoch: Int64, content: [UInt8]) -> CachePosition {
    var hash = BLAKE2b(resultLength: Self.hashBytes)
    hash.update(self.hash)
    hash.update(UInt64(bitPattern: number &+ 1))
    hash.update(UInt64(bitPattern: epoch))
    hash.update(content)
    return CachePosition(number: number &+ 1, epoch: epoch, hash: hash.finalize())
  }

  /// Reads what `bytes` wrote.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 + Self.hashBytes else { return nil }
    number = Int64(bitPattern: bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) })
    epoch = Int64(bitPattern: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
    hash = Array(bytes[16...])
  }

  /// Number and epoch, eight bytes each, most significant first; then the hash.
  var bytes: [UInt8] {
    [number, epoch].flatMap { number in
      withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    } + hash
  }
}

/// One entry of a library's log.
package struct LogEntry: Hashable, Sendable {
  /// Its place in the log, with the hash over all up to it.
  package let position: CachePosition
  /// The changes as the log keeps them; nil for a jump, whose image has them.
  package let content: [UInt8]?

  /// Describes an entry as the log has it; nothing is checked.
  package init(position: CachePosition, content: [UInt8]?) {
    self.position = position
    self.content = content
  }
}

/// The commits of a library that has a log.
final class LoggedCommits {
  private let database: StoreDatabase
  private let log: any CommitLog
  private let recorder: ChangesetRecorder

  /// Creates commits that go through a log.
  init(
    _ database: StoreDatabase,
    _ log: any CommitLog,
    recording isRecorded: @escaping (String) -> Bool
  ) throws(StoreError) {
    self.database = database
    self.log = log
    recorder = try ChangesetRecorder(of: database.connection, where: isRecorded)
  }

  /// Appends the open transaction to the log, and then commits it.
  ///
  /// - Parameter commit: Commits.
  /// - Throws: Why it was not appended, or not committed after it was: then the database is unusable.
  func commit(_ commit: () throws(StoreError) -> Void) throws(StoreError) {
    let changes = try recorder.seal()
    guard !changes.isEmpty else {
      try commit()
      return try recorder.restart()
    }
    let position = try log.append(changes)
    do throws(StoreError) {
      try database.setPosition(position)
      try commit()
      try recorder.restart()
    } catch {
      database.giveUp(because: error)
      log.commitFailed(at: position, because: error)
      throw error
    }
    log.committed(at: position)
  }

  /// Forgets the changes of a transaction that was rolled back.
  func forget() throws(StoreError) { try recorder.restart() }
}
