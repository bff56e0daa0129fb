package import PaletteModel
internal import PaletteStore
internal import PaletteSync

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

  /// Tells peers who is where; at each tick, so that nobody is told more often.
  func tellPresence() throws {
    presence.refresh(at: store.nowMilliseconds)
    for (statement, source, palettes) in presence.removeNews() {
      for link in links.links(of: palettes) where link != source {
        try pass(.present(statement), to: link)
      }
    }
  }

  /// Tells a peer that has just come who is where.
  func tellPresence(to link: LinkID) throws {
    guard let scope = links[link]?.trust.scope else { return }
    for statement in presence.present(in: scope) { try pass(.present(statement), to: link) }
  }
}
