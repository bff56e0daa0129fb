internal import PalettePeers
internal import PaletteStore

/// A part of a room that hears what became durable.
protocol CommitListener: AnyObject {
  /// Some changes are durable now.
  func committed(_ batch: [CommittedChanges])
}

/// Reports to the parts of a room what became durable, and to the log when nothing can.
final class CommitReport {
  private let store: ChangeStore
  private let sync: SyncShell
  private let metrics: NodeMetrics
  private let watching: Watching
  private let others: [any CommitListener]
  private let log: (NodeLog) -> Void
  /// The kind of the failure of writes that was logged last; nil since they succeed.
  private var loggedFailure: StoreError.Code?

  init(
    _ store: ChangeStore,
    _ sync: SyncShell,
    _ metrics: NodeMetrics,
    _ watching: Watching,
    _ others: [any CommitListener],
    log: @escaping (NodeLog) -> Void
  ) {
    self.store = store
    self.sync = sync
    self.metrics = metrics
    self.watching = watching
    self.others = others
    self.log = log
  }

  /// Reports what is durable now; watchers are told when they are told next.
  func report() {
    logWriteFailure()
    let batch = sync.removeCommitted()
    guard !batch.isEmpty else { return }
    for changes in batch { metrics.committed(changes.changes.count, at: store.groupCommitted) }
    watching.committed(batch)
    for listener in others { listener.committed(batch) }
  }

  /// Logs when writes begin to fail, and when they succeed again.
  private func logWriteFailure() {
    let failure = store.writeFailure
    guard failure?.code != loggedFailure else { return }
    loggedFailure = failure?.code
    if let failure {
      log(NodeLog(.error, .storage, "edits cannot be saved: \(failure)"))
    } else {
      log(NodeLog(.info, .storage, "edits are saved again"))
    }
  }

  /// Reports what became durable outside a turn, and has the watchers told soon.
  func reportOutsideTurn() {
    report()
    watching.scheduleTelling()
  }
}
