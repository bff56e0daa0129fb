internal import PaletteFormats
package import PaletteModel
package import PaletteStore
internal import PaletteSync

/// A joined peer as `status` and `peers` tell of it.
package struct PeerState {
  package var peer: StoredPeer
  /// `live`, `connecting`, `refused` or `offline`.
  package var state: String
  package var pending = 0
  package var withheld = 0
  package var roundTripMilliseconds: Int64?
  package var clockOffsetMilliseconds: Int64?
  package var error: String?
  /// Since when it stands there, where trying again counts as being offline; nil without a node.
  package var sinceMilliseconds: Int64?
  /// When it was last heard; nil where it was not since the node began.
  package var lastContactMilliseconds: Int64?
  package var isCaughtUp = false
  /// How many changes the peer holds and this library not yet, as far as is known.
  package var changesToCome = 0
  /// How often in a row the peer could not be reached.
  package var failures = 0

  package init(peer: StoredPeer, state: String) {
    self.peer = peer
    self.state = state
  }

  /// How the peer is called.
  package var url: String { peer.url }

  /// Whether the peer takes this library's changes of a palette.
  func takes(_ palette: PaletteID) -> Bool { peer.takes(palette) }
}

extension StoredPeer {
  /// What this library may cause there.
  private var trust: Trust { .hub(grants) }

  /// Whether the peer takes this library's changes of a palette; of some palette when it is nil.
  func takes(_ palette: PaletteID?) -> Bool {
    guard let palette else { return grants.contains { Trust.hub([$0]).edits(nil) } }
    return trust.letsOutChanges(of: palette)
  }

  /// Whether the palette came from this peer to be looked at alone.
  func onlyShows(_ palette: PaletteID) -> Bool {
    trust.scope.covers(palette) && !trust.letsOutChanges(of: palette)
  }

  /// Whether the peer shares a palette with this library.
  package func shares(_ palette: PaletteID) -> Bool { trust.scope.covers(palette) }
}

extension PendingChanges {
  /// How many of this library's own changes a peer that takes them has not stated to hold.
  package func count(at peer: PeerState) -> Int {
    palettes.reduce(0) { $0 + (peer.takes($1) ? count(of: $1, at: [peer.peer.url]) : 0) }
  }
}
