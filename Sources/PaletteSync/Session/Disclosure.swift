import PaletteMerge
import PaletteModel

/// Presence and id bindings: what to send, and what to accept.
struct Disclosure: Sendable {
  /// The views of which the peer was told, and not of their end.
  private var presented: Set<Presence.Who> = []

  /// Tells the peer where somebody is, as far as it may know.
  mutating func tell(_ presence: Presence, _ terms: Terms, _ actions: inout Actions) {
    if let palette = presence.palette, terms.scope.covers(palette) {
      presented.insert(presence.who)
      actions.send(.presence(presence))
    } else if presented.remove(presence.who) != nil {
      actions.send(.presence(presence.gone(milliseconds: presence.milliseconds)))
    }
  }

  /// Passes on what the peer says of somebody; what it may not say counts for nothing.
  static func hear(
    _ presence: Presence,
    _ terms: Terms,
    _ library: some SyncLibrary,
    _ actions: inout Actions
  ) {
    if let palette = presence.palette, !terms.scope.covers(palette) { return }
    guard !library.isOwn(presence.who.node) else { return }
    guard terms.trust.letsIn(presenceOf: presence.who.node) else { return }
    actions.append(.presence(presence))
  }

  /// Tells the peer which node ids belong to which library, where it may know.
  static func tell(_ bindings: [Frame.Binding], _ terms: Terms, _ actions: inout Actions) {
    let trust = terms.trust
    guard trust.isToldOwnBindings else { return }
    // Which ids others have is told to those who share the whole library.
    var rest = bindings.filter { trust.exchangesBindings || $0.library == terms.library }[...]
    while !rest.isEmpty {
      let part = rest.prefix(SyncProtocol.bindingEntries)
      actions.send(.bindings(Array(part)))
      rest = rest.dropFirst(part.count)
    }
  }
}
