internal import PaletteCommands
internal import PaletteJSON
internal import PalettePeers
internal import WebSocket

/// Tells watchers where the joined peers stand.
final class PeerNews {
  private unowned let loop: EventLoop
  private let sync: SyncShell
  private let watching: Watching
  /// Returns whether a client may know of the library as a whole.
  private let readsAll: (ConnectionID) -> Bool
  private let log: (NodeLog) -> Void
  /// True if watchers are told soon.
  private var willTell = false
  /// The state that watchers know.
  private var told: [String] = []

  init(
    _ loop: EventLoop,
    _ sync: SyncShell,
    _ watching: Watching,
    readsAll: @escaping (ConnectionID) -> Bool,
    log: @escaping (NodeLog) -> Void
  ) {
    self.loop = loop
    self.sync = sync
    self.watching = watching
    self.readsAll = readsAll
    self.log = log
  }

  /// Tells watchers soon where the joined peers stand, if that is another place than before.
  func schedule() {
    guard !willTell else { return }
    willTell = true
    loop.schedule(after: .milliseconds(100)) { [weak self] in
      self?.willTell = false
      self?.tell()
    }
  }

  /// Tells watchers where the joined peers stand, if that is another place than they know of.
  func tell() {
    let standing = sync.standing
    guard standing != told else { return }
    told = standing
    // A client that may see one palette alone learns nothing of where the rest comes from.
    let watchers = watching.everyone.filter(readsAll)
    guard !watchers.isEmpty else { return }
    do {
      let peers = try sync.peerStates().map { PeerAnswer(state: $0) }
      let event: JSON = ["event": "state", "peers": peers.json]
      watching.tell(WatchHub.News("library.peers", event.bytes, to: watchers))
    } catch {
      log(NodeLog(.error, .storage, "watchers cannot be told of peers: \(error)"))
    }
  }
}
