package import PaletteStore

/// The cache of a library that this hub owns, while its room is closed.
///
/// What it does waits for the database, so no loop calls it.
package struct OwnedCache: Sendable {
  private let log: any SharedLog
  private let claim: LogClaim
  private let cache: LibraryCache

  /// Names a library by the claim on it, and the place of its cache, which no store has open.
  package init(_ log: any SharedLog, _ claim: LogClaim, _ cache: LibraryCache) {
    self.log = log
    self.claim = claim
    self.cache = cache
  }

  /// Makes the cache what the log says, or gives the log back what it has lost.
  ///
  /// - Parameters:
  ///   - state: The log as it was when the claim began.
  ///   - isContinued: True if this hub had the library open until now and no other hub did since: then the
  ///     log has nothing that the cache lacks, but for an entry in doubt, and what it lacks was lost.
  ///   - timestamp: The end of the name of a file that is put aside.
  /// - Returns: The library.
  /// - Throws: `StoreError` where the file cannot be written or what the log has is damaged, and
  ///   `SharedLogError`.
  package func open(
    _ state: LogState,
    isContinued: Bool,
    timestamp: String
  ) throws -> OpenedCache {
    // A cache that cannot be closed as it should be is made again.
    if isContinued { _ = try? cache.close() }
    let found = try cache.begin()
    if isContinued, let found, found.number > state.head {
      return try heal(state)
    }
    let maker = CacheMaker(log, claim.library, cache)
    let made = try maker.make(from: found, for: state, timestamp: timestamp)
    let position = try migrate(made.position, from: state.schema)
    return OpenedCache(
      position: position,
      outcome: made.outcome,
      aside: made.aside,
      isHealed: false
    )
  }

  /// Gives the log all that the cache has.
  private func heal(_ state: LogState) throws -> OpenedCache {
    let end = CachePosition(number: state.head, epoch: state.epoch, hash: state.hash)
    do {
      return OpenedCache(at: try jump(behind: end), isHealed: true)
    } catch {
      // Whoever opens it next finds that it has more than the log.
      _ = try? cache.close()
      throw error
    }
  }

  /// Brings the library to the newest schema, which is a jump: no entry has it.
  private func migrate(_ position: CachePosition, from schema: Int) throws -> CachePosition {
    guard schema < cache.schema.version else { return position }
    _ = try cache.migrate()
    return try jump(behind: position)
  }

  /// Closes the cache as it should be, and lets go of the library.
  ///
  /// The next owner has only what the log has. So where the log has lost its end since the last append, it gets
  /// it back first.
  ///
  /// - Parameter name: The library's name; nil where its cache was not in use.
  /// - Returns: True if the log had lost its end, and has it again.
  /// - Throws: `SharedLogError` and `StoreError`; then the library may still be the hub's.
  package func leave(named name: String?) throws -> Bool {
    // A cache that cannot be closed as it should be is made again next time.
    guard let name, let closed = try? cache.close(),
      let row = try log.look(name), row.id == claim.library, row.state.head < closed.number,
      let state = try log.endDoubt(claim)
    else {
      _ = try log.letGo(claim)
      return false
    }
    var claim = claim
    claim.epoch = state.epoch
    let opened = try OwnedCache(log, claim, cache).open(
      state,
      isContinued: true,
      timestamp: "\(systemMilliseconds())"
    )
    _ = try? cache.close()
    _ = try log.letGo(claim)
    return opened.isHealed
  }

  /// Appends the whole library as an entry, for what no entry can say.
  ///
  /// - Parameters:
  ///   - position: The newest entry of the log.
  ///   - changes: A changeset that the file lacks; it has it afterwards.
  /// - Returns: The new entry, at which the file stands then.
  /// - Throws: `StoreError` and `SharedLogError`; the file is as it was unless the log has the entry.
  package func jump(
    behind position: CachePosition,
    applying changes: [UInt8]? = nil
  ) throws -> CachePosition {
    let copy = try ImageCopy(
      of: cache.folder,
      at: cache.folder.file("jump"),
      schema: cache.schema
    )
    let image = try ImageFile(copy, applying: changes)
    var upload = ImageUpload(image, as: claim, number: position.number + 1)
    try upload.send(to: log)
    let next = try upload.jump(behind: position, in: log, schema: cache.schema.version)
    try cache.advance(to: next, applying: changes)
    return next
  }
}

/// A library that is ready.
package struct OpenedCache: Sendable {
  /// The newest entry, at which the cache stands.
  package let position: CachePosition
  /// The way in which the cache became good.
  package let outcome: CacheMaker.Outcome
  /// The file that held what the log has lost, under its new name; nil where there was none.
  package let aside: String?
  /// True if the log had lost its end, and has it again.
  package let isHealed: Bool
}

extension OpenedCache {
  /// A library whose cache was good, and stands at the newest entry.
  init(at position: CachePosition, isHealed: Bool = false) {
    self.init(position: position, outcome: .kept(entries: 0), aside: nil, isHealed: isHealed)
  }
}
