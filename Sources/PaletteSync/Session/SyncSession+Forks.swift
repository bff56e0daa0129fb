import PaletteModel

extension SyncSession {
  /// Frames that carry changes, palettes or a snapshot are packed to this.
  var payloadBytes: Int { min(limits.payloadBytes, frameBytes * 3 / 4) }

  /// Stops pushing an author of whom both sides hold different changes.
  ///
  /// Where it is an id of ours, these files or the peer's knowledge of them come from another time.
  /// Then it has to be known from which change on, and only its author can heal it.
  mutating func note<Library: SyncLibrary>(
    fork dot: Dot,
    in palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard trust.scope.covers(palette) else { return fail("a palette out of scope", &actions) }
    let isKnown = !forks[palette, default: []].insert(dot.node).inserted
    guard library.isOwn(dot.node) else {
      if !isKnown { actions.append(.forked(palette, dot)) }
      return
    }
    // Only who may send the state of a palette is believed in this.
    guard trust.letsReissue(in: palette), searches[palette]?[dot.node] == nil,
      let held = try library.frontier(of: palette)[dot.node]
    else { return }
    // The peer may name a change that it refuses because of the one before.
    var search = ForkSearch(upTo: min(held.sequence, dot.sequence))
    actions.append(.send(Frame.linksOf(palette, dot.node, search.ask()).encoded))
    searches[palette, default: [:]][dot.node] = search
  }

  /// Tells the peer, which looks for a fork, what we hold.
  func sendLinks<Library: SyncLibrary>(
    of node: NodeID,
    _ sequences: [UInt32],
    in palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    let held = try library.frontier(of: palette)[node]?.sequence ?? 0
    var links: [Frame.Link] = []
    if trust.scope.covers(palette) {
      for sequence in sequences.prefix(SyncProtocol.probes) where sequence <= held {
        let link = try library.link(of: Dot(node, sequence), in: palette)
        links.append(Frame.Link(sequence: sequence, link: link))
      }
    }
    actions.append(.send(Frame.links(palette, node, links).encoded))
  }

  /// Takes an answer, and asks again until the last common change is found.
  mutating func take<Library: SyncLibrary>(
    _ links: [Frame.Link],
    of node: NodeID,
    in palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard var search = searches[palette]?[node] else {
      return fail("links that nobody asked for", &actions)
    }
    var own: [UInt32: UInt64] = [:]
    for sequence in search.asked {
      own[sequence] = try library.link(of: Dot(node, sequence), in: palette)
    }
    search.take(links, own: own)
    guard search.isDone else {
      actions.append(.send(Frame.linksOf(palette, node, search.ask()).encoded))
      searches[palette]?[node] = search
      return
    }
    searches[palette]?[node] = nil
    guard search.isFork else { return }
    // A link is only a claim: the change that differs has to be shown.
    let first = search.common + 1
    let last = UInt32(clamping: UInt64(first) + Self.shownChanges)
    proofs[palette, default: [:]][node] = search
    actions.append(.send(Frame.historyOf(palette, node, first: first, last: last).encoded))
  }

  /// How many changes behind the first that differs may stand for it, where it was compacted away.
  private static let shownChanges: UInt64 = 1_000

  /// Looks at changes that a peer shows as its own under an id of ours.
  ///
  /// - Returns: Whether the peer was asked for them.
  mutating func takeShown<Library: SyncLibrary>(
    _ history: OldHistory,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) -> Bool {
    let (palette, node) = (history.palette, history.node)
    guard let search = proofs[palette]?.removeValue(forKey: node) else { return false }
    for bytes in history.changes.prefix(Int(Self.shownChanges) + 1) {
      guard let change = try? Change(decoding: bytes, in: palette), change.dot.node == node,
        change.dot.sequence > search.common,
        let own = try library.link(of: change.dot, in: palette),
        own != ChangeHash(of: bytes, in: palette).link
      else { continue }
      // The one behind the last common change must follow it.
      if change.dot.sequence == search.common + 1, let link = search.link, change.previous != link {
        continue
      }
      actions.append(.reissue(palette, node, after: search.common, link: search.link))
      return true
    }
    actions.append(.forked(palette, Dot(node, search.common + 1)))
    return true
  }
}
