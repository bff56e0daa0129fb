package import PaletteStore

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

extension OwnedCache {
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
      return try heal(state, found)
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
  private func heal(_ state: LogState, _ found: CachePosition) throws -> OpenedCache {
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
    guard schema < ChangeStore.formatVersion else { return position }
    _ = try cache.migrate()
    return try jump(behind: position)
  }
}
