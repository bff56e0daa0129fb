internal import PaletteStore

/// Tells everybody in this process what became durable.
final class CommitReport {
  private let store: ChangeStore
  private let sync: SyncShell
  private let links: LinkShell?
  private let watching: Watching
  private let upkeep: Upkeep
  private let metrics: NodeMetrics
  private let host: HostProgram

  init(
    _ store: ChangeStore,
    _ sync: SyncShell,
    _ links: LinkShell?,
    _ watching: Watching,
    _ upkeep: Upkeep,
    _ metrics: NodeMetrics,
    _ host: HostProgram
  ) {
    self.store = store
    self.sync = sync
    self.links = links
    self.watching = watching
    self.upkeep = upkeep
    self.metrics = metrics
    self.host = host
  }

  /// Reports what is durable now; watchers are told when they are told next.
  func report() {
    let committed = sync.removeCommitted()
    if !committed.isEmpty { upkeep.lookAtRoom() }
    for changes in committed {
      metrics.committed(changes.changes.count, at: store.groupCommitted)
      watching.committed(changes)
      upkeep.scheduleCheckpoint(after: changes.changes.count)
      links?.paletteChanged(changes.palette)
      host.committed(changes.palette)
    }
  }

  /// Reports what became durable outside a turn, and has the watchers told soon.
  func reportOutsideTurn() {
    report()
    watching.scheduleTelling()
  }
}
