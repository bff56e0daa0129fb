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
    guard scope.covers(palette) else { return fail("a palette out of scope", &actions) }
    let isKnown = !forks[palette, default: []].insert(dot.node).inserted
    guard library.isOwn(dot.node) else {
      if !isKnown { actions.append(.forked(palette, dot)) }
      return
    }
    guard searches[palette]?[dot.node] == nil,
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
    if scope.covers(palette) {
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
    actions.append(.reissue(palette, node, after: search.common, link: search.link))
  }
}
