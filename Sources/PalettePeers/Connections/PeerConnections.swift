internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The connections of a node: who is at the other end, what they are about, and when each is pinged next.
final class PeerConnections {
  private var connections: [PeerConnectionID: PeerConnection] = [:]
  /// The index by palette and member.
  private var index = PeerConnectionIndex()
  /// How many bytes of unfinished snapshots are kept for whom, over all connections.
  private var snapshotBytes: [Payer: Int] = [:]
  private var pings = DueQueue<PeerConnectionID>(
    afterMilliseconds: PeerConnections.pingMilliseconds
  )
  /// The most connections of one member.
  var memberLimit = 64
  /// The most bytes of unfinished snapshots that are kept for one peer or member.
  var snapshotLimit = SyncProtocol.snapshotBytes

  private static let pingMilliseconds: Int64 = 20_000

  subscript(id: PeerConnectionID) -> PeerConnection? { connections[id] }

  /// The number of connections there are.
  var count: Int { connections.count }

  /// The number of them that are past their greeting.
  var greetedCount: Int { index.count }

  /// All connections, in order.
  var ids: [PeerConnectionID] { connections.keys.sorted { $0.rawValue < $1.rawValue } }

  /// All connections with what is known of them, in order.
  var all: [(id: PeerConnectionID, connection: PeerConnection)] {
    connections.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }

  /// Those past their greeting that are about the whole library, in order.
  var ofLibrary: [PeerConnectionID] { index.ofLibrary }

  /// Those past their greeting that may speak of a palette, in order.
  func concerning(_ palette: PaletteID) -> [PeerConnectionID] { index.concerning(palette) }

  /// Those past their greeting that may speak of one of these palettes, in order.
  func concerning(_ palettes: some Collection<PaletteID>) -> [PeerConnectionID] {
    index.concerning(palettes)
  }

  func add(_ id: PeerConnectionID, _ connection: PeerConnection) { connections[id] = connection }

  /// Forgets a connection that has ended.
  func remove(_ id: PeerConnectionID) -> PeerConnection? {
    index.remove(id)
    let connection = connections.removeValue(forKey: id)
    if let connection, let payer = connection.payer {
      count(-connection.session.snapshotBytes, for: payer)
    }
    return connection
  }

  /// Hands an event to a connection's session; nil where the connection has ended.
  func handle(
    _ event: SyncEvent,
    on id: PeerConnectionID,
    library: StoreLibrary,
    milliseconds: UInt64
  ) throws(StoreError) -> [SyncAction]? {
    guard let connection = connections[id] else { return nil }
    // What a hub does most, for every watcher: no part of a snapshot comes or goes.
    if case .committed = event {
      return try connection.handle(event, library: library, milliseconds: milliseconds)
    }
    let before = connection.session.snapshotBytes
    let others = connection.payer.map { (snapshotBytes[$0] ?? 0) - before } ?? 0
    defer {
      if let payer = connection.payer, connections[id] != nil {
        count(connection.session.snapshotBytes - before, for: payer)
      }
    }
    connection.limitSnapshots(snapshotLimit - others)
    return try connection.handle(event, library: library, milliseconds: milliseconds)
  }

  private func count(_ bytes: Int, for payer: Payer) {
    guard bytes != 0 else { return }
    let sum = (snapshotBytes[payer] ?? 0) + bytes
    snapshotBytes[payer] = sum > 0 ? sum : nil
  }

  /// Remembers as which member a connection came in.
  ///
  /// - Returns: Whether the member may have this many connections.
  func admit(_ id: PeerConnectionID, as member: Member) -> Bool {
    connections[id]?.admit(member)
    return index.add(id, of: member.id) <= memberLimit
  }

  /// A connection is past its greeting: it hears of what it is about, and is pinged.
  func greet(_ id: PeerConnectionID, by peer: SyncPeer) {
    connections[id]?.greet(by: peer)
    if let scope = connections[id]?.trust.scope { index.add(id, scope) }
    pings.addFirst(id)
  }

  /// Removes the connections that are to be pinged now; each comes up again after a while.
  func removeDuePings(at now: Int64) -> [PeerConnectionID] {
    var due: [PeerConnectionID] = []
    while let (id, _) = pings.next(at: now) {
      guard connections[id]?.session.isEstablished == true else { continue }
      pings.add(id, at: now)
      due.append(id)
    }
    return due
  }
}
