package import PaletteStore

/// The log of one library, in memory.
package final class MemoryCommitLog: CommitLog {
  /// The entries, in their order.
  package private(set) var entries: [(position: CachePosition, changes: [UInt8])] = []
  /// The newest entry that the library said to have committed.
  package private(set) var committed: CachePosition?
  /// The newest entry that the library could not commit.
  package private(set) var failed: CachePosition?
  /// The reason for which nothing is taken.
  package var refusal: StoreError?
  /// Called when an entry was taken, before its commit.
  package var onAppend: () -> Void = {}
  /// The position behind which the next entry comes.
  package private(set) var head: CachePosition
  /// The epoch of its owner.
  package var epoch: Int64 = 1

  /// Begins a log.
  ///
  /// - Parameter head: The position that the library's file has.
  package init(after head: CachePosition = .start) {
    self.head = head
  }

  package func append(_ changes: [UInt8]) throws(StoreError) -> CachePosition {
    if let refusal { throw refusal }
    head = head.next(epoch: epoch, content: changes)
    entries.append((head, changes))
    onAppend()
    return head
  }

  package func committed(at position: CachePosition) { committed = position }

  package func commitFailed(at position: CachePosition, because error: StoreError) {
    failed = position
  }
}
