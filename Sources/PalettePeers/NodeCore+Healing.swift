internal import PaletteMerge
package import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// Own changes that others cannot take as they are go out again under new dots.
extension NodeCore {
  /// Schedules the reissue of a node id's own changes after a number.
  ///
  /// That is done once: what differs later is not this library's doing.
  func reissue(
    _ palette: PaletteID,
    _ node: NodeID,
    after sequence: UInt32,
    link: UInt64?,
    _ id: PeerConnectionID
  ) throws {
    guard try !store.isSettled(node, after: sequence, in: palette) else {
      describe(id) { $0.error = "the peer holds changes of \(node) that were issued again" }
      let problem = "a peer holds changes of \(node) in \(palette) that were issued again since"
      return emit(.log(isProblem: true, problem))
    }
    guard let party = connections[id]?.payer, reissues.admits(party, at: store.nowMilliseconds)
    else {
      describe(id) { $0.error = "the peer shows ever new changes under ids of this library" }
      return logRefusal("\(who(id)) shows ever new changes under ids of this library", id)
    }
    reissues.add(Reissue.Cut(after: sequence, link: link), of: node, in: palette)
  }

  /// Returns whether changes that a peer shows may be merged: those that were not made here under
  /// an id that is present have this library take another one, which no peer may have done without
  /// end.
  ///
  /// One that shows ever more of them is cut off.
  func admits(_ dots: some Sequence<Dot>, _ palette: PaletteID, _ id: PeerConnectionID) throws
    -> Bool
  {
    lazy var held = Result { try store.frontier(of: palette) }
    // Most are of the author of the one before.
    var other: NodeID?
    for dot in dots where dot.node != other {
      guard store.isPresent(dot.node) else {
        other = dot.node
        continue
      }
      guard try dot.sequence > held.get()[dot.node]?.sequence ?? 0 else { continue }
      guard let party = connections[id]?.payer,
        !reissues.admitsNewID(insteadOf: store.node, from: party, at: store.nowMilliseconds)
      else { return true }
      let reason = "ever new changes under ids of this library"
      logRefusal("\(who(id)) shows \(reason)", id)
      describe(id) { $0.error = "the peer shows \(reason)" }
      drop(id, SyncProtocol.CloseCode.overBudget.rawValue, reason)
      return false
    }
    return true
  }

  /// Queues a snapshot for merging, unless it may not say what it says of this library's ids.
  func add(_ snapshot: ArrivedSnapshot) throws {
    let dots = snapshot.frontier.lazy.map { node, head in Dot(node, head.sequence) }
    guard try admits(dots, snapshot.palette, snapshot.connection) else { return }
    turns.add(snapshot)
  }

  /// Remembers a change that a peer does not take: it counts as withheld there.
  ///
  /// A refusal alone never has anything issued again: only a change that is shown does.
  func rememberRefusal(
    _ dot: Dot,
    in palette: PaletteID,
    _ code: String,
    _ reason: String,
    _ id: PeerConnectionID
  ) throws {
    describe(id) { $0.error = PeerError(code: code, reason) }
    logRefusal("\(who(id)) refuses the change \(dot) of \(palette): \(code), \(reason)", id)
    guard store.isOwn(dot.node), code != Nack.fork.rawValue, let url = connections[id]?.url else {
      return
    }
    try store.peers.record(refusalOf: dot, in: palette, by: url)
    if try isUnheard(dot, in: palette, code, id) { reissues.addUnheard(dot, in: palette) }
  }

  /// Returns whether a hub that this library may edit at does not know an id that the library had
  /// before, or that somebody has who edits through it.
  ///
  /// It holds changes under the id that came through others, and nobody can show whose they are.
  private func isUnheard(
    _ dot: Dot,
    in palette: PaletteID,
    _ code: String,
    _ id: PeerConnectionID
  ) throws -> Bool {
    guard code == Nack.notAllowed.rawValue, dot.node != store.node,
      let connection = connections[id],
      connection.trust.letsOut(palette, isOwn: true),
      !connection.trust.letsOut(palette, isOwn: false),
      try !store.isRestated(dot.node, after: max(1, dot.sequence) - 1, in: palette)
    else { return false }
    let now = store.nowMilliseconds
    // The next id is as present as this one was, and could be refused at once.
    if store.isPresent(dot.node), let author = store.author(of: dot.node) {
      guard reissues.admitsRenaming(of: author, at: now) else { return false }
    }
    return connection.payer.map { reissues.admits($0, at: now) } ?? false
  }

  /// Issues own changes again where that is due, and tells every peer the node's present id.
  func heal() throws {
    try restate()
    let waiting = reissues.removeAll()
    let greetedNode = reissues.greetedNode
    var count = 0
    do {
      if !waiting.isEmpty { count = try store.reissue(waiting) }
    } catch {
      report("changes could not be issued again", error)
      return
    }
    if count > 0 {
      emit(
        .log(.identity, isProblem: false, "issued \(count) changes again as \(store.node)")
      )
    } else if store.node == greetedNode {
      return
    }
    if store.node != greetedNode {
      let text = "the library goes on as \(store.node): peers know more of \(greetedNode) than it"
      emit(.log(.identity, isProblem: false, text))
    }
    reissues.greet(as: store.node)
    presence.rename(to: store.node, at: store.nowMilliseconds)
    // Whoever dialed this node takes its changes under any id, and must not be cut because somebody
    // says to have seen what was not made yet. After a loss everything is compared again.
    let isRolledBack = reissues.tell(rollbackCount: store.rollbackCount)
    reconnect(includingAccepted: count > 0 || isRolledBack)
    try broadcast()
  }

  /// Says what peers cannot take under former ids again under present ones.
  private func restate() throws {
    let unheard = reissues.removeUnheard()
    guard !unheard.isEmpty else { return }
    do {
      let present = Set(unheard.values.flatMap(\.keys)).filter(store.isPresent)
      let count = try store.restate(unheard)
      for node in present where !store.isPresent(node) {
        if let author = store.author(of: node) {
          reissues.wasRenamed(author, at: store.nowMilliseconds)
        }
      }
      guard count > 0 else { return }
      emit(
        .log(
          .identity,
          isProblem: false,
          "wrote \(count) changes as \(store.node) for a peer that knows a former id from others"
        )
      )
      try broadcast()
    } catch {
      report("changes could not be written again", error)
    }
  }

  /// Ends connections, to begin them again at once from what is durable.
  private func reconnect(includingAccepted: Bool) {
    for (id, connection) in connections.all {
      if connection.url == nil, !includingAccepted { continue }
      // What was refused on this connection stays refused.
      if let url = connection.url, dialers[url]?.state == .refused { continue }
      drop(id, SyncProtocol.CloseCode.goingAway.rawValue, "the node goes on under another id")
      if let url = connection.url { dialing.hurry(url) }
    }
  }

  /// Goes on under a new id, because a peer knows the present one as somebody else's.
  ///
  /// Other connections go on: what they know stays true. Where two peers are one, each then has an
  /// id of its own. A peer that refuses every id must not be tried with ever new ones.
  func abandonNodeID(for url: String) throws {
    let now = store.nowMilliseconds
    guard reissues.admitsRenaming(of: .library, at: now) else { return }
    try store.adoptNewNode()
    reissues.wasRenamed(.library, at: now)
    reissues.greet(as: store.node)
    presence.rename(to: store.node, at: now)
    dialing.forgetRefusal(of: url)
    emit(
      .log(.identity, isProblem: false, "goes on as \(store.node), because \(url) knows the old id")
    )
  }

  /// Returns whether own changes of a palette may be given to a peer that this node is connected
  /// to.
  package func letsOutOwn(_ palette: PaletteID, to url: String) -> Bool {
    dialers[url]?.connection.flatMap { connections[$0] }?.trust.letsOut(palette, isOwn: true)
      ?? false
  }

  /// The number of changes that are held that a peer may not be given, or does not take.
  package func withheld(at url: String) throws -> Int {
    let refused = try store.peers.refusedCount(by: url)
    guard let id = dialers[url]?.connection, let connection = connections[id] else {
      return refused
    }
    var withheld = refused
    for (palette, theirs) in connection.stated {
      for (node, head) in try store.frontier(of: palette)
      where !connection.trust.letsOut(palette, isOwn: store.isOwn(node)) {
        withheld += max(0, Int(head.sequence) - Int(theirs[node]?.sequence ?? 0))
      }
    }
    return withheld
  }
}

/// History that is missing here, fetched from a peer.
extension NodeCore {
  /// Asks a peer for the rows that are missing in a palette's past, within a flush, which sends the question.
  ///
  /// - Returns: Whether a peer was asked; then `settledHistory` tells when it is over.
  package func fetchHistory(of palette: PaletteID) throws -> Bool {
    if history[palette] != nil { return true }
    let floors = try store.floors(of: palette)
    guard !floors.isEmpty, let connection = historySource(of: palette) else { return false }
    history.begin(
      HistoryFetch(from: connection, upTo: floors, at: store.nowMilliseconds),
      of: palette
    )
    try askForHistory(of: palette)
    return true
  }

  /// The peer to ask: one that this library joined, as for snapshots.
  private func historySource(of palette: PaletteID) -> PeerConnectionID? {
    let able = connections.all.filter { _, connection in
      connection.peer != nil && connection.session.isEstablished
        && connection.trust.letsInState(of: palette)
    }
    return (able.first { $0.connection.url != nil } ?? able.first)?.id
  }

  private func askForHistory(of palette: PaletteID) throws {
    guard let fetch = history[palette] else { return }
    if let (node, numbers) = fetch.question {
      return try pass(.historyWanted(palette, node, numbers), to: fetch.connection)
    }
    history.end(palette)
    if let refusal = try store.mergeOldHistory(fetch.parts, into: palette) {
      emit(.log(isProblem: true, "old history of \(palette) was refused: \(refusal)"))
    }
  }

  /// Adds an answer, and asks on.
  func receive(_ answer: OldHistory, from connection: PeerConnectionID) throws {
    guard history.add(answer, from: connection, at: store.nowMilliseconds) else { return }
    try askForHistory(of: answer.palette)
  }

  /// The palettes whose old rows have come, or will not come.
  package var settledHistory: Set<PaletteID> { history.settled }

  /// Removes them, for whoever asked.
  package func removeSettledHistory() -> Set<PaletteID> { history.removeSettled() }
}
