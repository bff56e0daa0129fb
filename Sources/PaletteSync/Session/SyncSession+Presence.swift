import PaletteModel

extension SyncSession {
  /// Tells the peer where somebody is, as far as it may know.
  mutating func present(_ presence: Presence, _ actions: inout [SyncAction]) {
    if let palette = presence.palette, trust.scope.covers(palette) {
      presented.insert(presence.who)
      actions.append(.send(Frame.presence(presence).encoded))
    } else if presented.remove(presence.who) != nil {
      let gone = presence.gone(milliseconds: presence.milliseconds)
      actions.append(.send(Frame.presence(gone).encoded))
    }
  }

  /// Takes what the peer says of somebody; what it may not say counts for nothing.
  func take(_ presence: Presence, _ library: some SyncLibrary, _ actions: inout [SyncAction]) {
    if let palette = presence.palette, !trust.scope.covers(palette) { return }
    guard !library.isOwn(presence.who.node) else { return }
    guard trust.letsIn(presenceOf: presence.who.node) else { return }
    actions.append(.presence(presence))
  }
}
