internal import PaletteStore

extension OwnedCache {
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
}
