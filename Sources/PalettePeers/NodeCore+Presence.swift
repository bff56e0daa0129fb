internal import PaletteMerge
package import PaletteModel
internal import PaletteStore
package import PaletteSync

extension NodeCore {
  /// States where a view of somebody at this node is; nil when it looks at nothing any more.
  package func state(
    _ view: UInt64,
    name: String,
    at palette: PaletteID?,
    selection: RecordID? = nil
  ) {
    presence.state(
      Presence.Who(node: store.node, session: view),
      name: name,
      palette: palette,
      selection: selection,
      at: store.nowMilliseconds
    )
  }

  /// The view as watchers here hear of it: under another number if a member could claim the node
  /// id, or if that cannot be looked up.
  package func shown(_ who: Presence.Who) -> Presence.Who {
    if (try? store.bindings.isTaken(who.node)) == true { return who }
    var hash = BLAKE2b(resultLength: 8)
    hash.update(Array("hued view".utf8))
    hash.update(who.node.rawValue)
    let number = hash.finalize().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Presence.Who(node: NodeID(number), session: who.session)
  }

  /// Tells peers who is where; at each tick, so that nobody is told more often.
  func tellPresence() throws {
    presence.refresh(at: store.nowMilliseconds)
    for (statement, source, palettes) in presence.removeNews() {
      try tell(statement, to: connections.concerning(palettes).filter { $0 != source })
    }
  }

  /// Tells a peer that has just come who is where.
  func tellPresence(to connection: PeerConnectionID) throws {
    guard let scope = connections[connection]?.trust.scope else { return }
    for statement in presence.present(in: scope) { try tell(statement, to: [connection]) }
  }

  /// Tells peers where somebody is, as far as each may know; that somebody is gone hears whoever was told.
  private func tell(_ statement: Presence, to peers: [PeerConnectionID]) throws {
    let node = statement.who.node
    let (isOwn, isTaken) = (store.isOwn(node), try store.bindings.isTaken(node))
    for id in peers {
      let mayKnow = connections[id]?.trust.isTold(presenceOfOwn: isOwn, isTaken: isTaken) == true
      if mayKnow || statement.palette == nil { try pass(.present(statement), to: id) }
    }
  }
}
