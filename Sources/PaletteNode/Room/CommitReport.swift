internal import PaletteStore

/// A part of a room that hears what became durable.
protocol CommitListener: AnyObject {
  /// Some changes are durable now.
  func committed(_ batch: [CommittedChanges])
}

/// Reports to the parts of a room what became durable.
final class CommitReport {
  private let store: ChangeStore
  private let sync: SyncShell
  private let metrics: NodeMetrics
  private let watching: Watching
  private let others: [any CommitListener]

  init(
    _ store: ChangeStore,
    _ sync: SyncShell,
    _ metrics: NodeMetrics,
    _ watching: Watching,
    _ others: [any CommitListener]
  ) {
    self.store = store
    self.sync = sync
    self.metrics = metrics
    self.watching = watching
    self.others = others
  }

  /// Reports what is durable now; watchers are told when they are told next.
  func report() {
    let batch = sync.removeCommitted()
    guard !batch.isEmpty else { return }
    for changes in batch { metrics.committed(changes.changes.count, at: store.groupCommitted) }
    watching.committed(batch)
    for listener in others { listener.committed(batch) }
  }

  /// Reports what became durable outside a turn, and has the watchers told soon.
  func reportOutsideTurn() {
    report()
    watching.scheduleTelling()
  }
}
