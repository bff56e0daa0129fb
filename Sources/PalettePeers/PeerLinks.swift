internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The connections of a node: who is at the other end, what they are about, and when each is pinged next.
final class PeerLinks {
  private var links: [LinkID: PeerLink] = [:]
  /// Which of them concern which palette and which member.
  private var index = LinkIndex()
  /// How many bytes of unfinished snapshots are kept for whom, over all connections.
  private var snapshotBytes: [Payer: Int] = [:]
  private var pings = DueQueue<LinkID>(afterMilliseconds: PeerLinks.pingMilliseconds)
  /// The most connections of one member.
  var memberLimit = 64
  /// The most bytes of unfinished snapshots that are kept for one peer or member.
  var snapshotLimit = SyncProtocol.snapshotBytes

  private static let pingMilliseconds: Int64 = 20_000

  subscript(id: LinkID) -> PeerLink? { links[id] }

  /// How many connections there are.
  var count: Int { links.count }

  /// How many of them are past their greeting.
  var greetedCount: Int { index.count }

  /// All connections, in order.
  var ids: [LinkID] { links.keys.sorted { $0.rawValue < $1.rawValue } }

  /// All connections with what is known of them, in order.
  var all: [(id: LinkID, link: PeerLink)] {
    links.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
  }

  /// Those past their greeting that are about the whole library, in order.
  var ofLibrary: [LinkID] { index.ofLibrary }

  /// Those past their greeting that may speak of a palette, in order.
  func links(of palette: PaletteID) -> [LinkID] { index.links(of: palette) }

  /// Those past their greeting that may speak of one of these palettes, in order.
  func links(of palettes: some Collection<PaletteID>) -> [LinkID] { index.links(of: palettes) }

  func add(_ id: LinkID, _ link: PeerLink) { links[id] = link }

  /// Forgets a connection that has ended.
  func remove(_ id: LinkID) -> PeerLink? {
    index.remove(id)
    let link = links.removeValue(forKey: id)
    if let link, let payer = link.payer { count(-link.session.snapshotBytes, for: payer) }
    return link
  }

  /// Hands an event to a connection's session; nil where the connection has ended.
  func handle(
    _ event: SyncEvent,
    on id: LinkID,
    library: StoreLibrary,
    milliseconds: UInt64
  ) throws(StoreError) -> [SyncAction]? {
    guard let link = links[id] else { return nil }
    let before = link.session.snapshotBytes
    let others = link.payer.map { (snapshotBytes[$0] ?? 0) - before } ?? 0
    defer {
      if let payer = link.payer, links[id] != nil {
        count(link.session.snapshotBytes - before, for: payer)
      }
    }
    return try link.handle(
      event,
      library: library,
      milliseconds: milliseconds,
      snapshotLimit: snapshotLimit - others
    )
  }

  private func count(_ bytes: Int, for payer: Payer) {
    guard bytes != 0 else { return }
    let sum = (snapshotBytes[payer] ?? 0) + bytes
    snapshotBytes[payer] = sum > 0 ? sum : nil
  }

  /// Remembers as which member a connection came in.
  ///
  /// - Returns: Whether the member may have this many connections.
  func admit(_ id: LinkID, as member: Member) -> Bool {
    links[id]?.admit(member)
    return index.add(id, of: member.id) <= memberLimit
  }

  /// A connection is past its greeting: it hears of what it is about, and is pinged.
  func greet(_ id: LinkID, by peer: SyncPeer) {
    links[id]?.greet(by: peer)
    if let scope = links[id]?.trust.scope { index.add(id, scope) }
    pings.addFirst(id)
  }

  /// Removes the connections that are to be pinged now; each comes up again after a while.
  func removeDuePings(at now: Int64) -> [LinkID] {
    var due: [LinkID] = []
    while let (id, _) = pings.next(at: now) {
      guard links[id]?.session.isEstablished == true else { continue }
      pings.add(id, at: now)
      due.append(id)
    }
    return due
  }
}
