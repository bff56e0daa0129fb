internal import PaletteMerge
package import PaletteModel
package import PaletteStore

/// A joined peer as `status` and `peers` tell of it.
package struct PeerState {
  package var peer: StoredPeer
  /// The state of the connection.
  package var state: PeerConnectionState
  package var pending = 0
  package var withheld = 0
  package var roundTripMilliseconds: Int64?
  package var clockOffsetMilliseconds: Int64?
  package var error: PeerError?
  /// Since when it stands there, where trying again counts as being offline; nil without a node.
  package var sinceMilliseconds: Int64?
  /// The time of its last message; nil if there was none since the node began.
  package var lastContactMilliseconds: Int64?
  package var isCaughtUp = false
  /// The number of changes the peer holds and this library not yet, as far as is known.
  package var changesToCome = 0
  /// The number of failures in a row to reach the peer.
  package var failures = 0

  package init(peer: StoredPeer, state: PeerConnectionState) {
    self.peer = peer
    self.state = state
  }

  /// The name of the peer in commands: its address.
  package var url: String { peer.url }

  /// True if each of its addresses was tried in vain.
  var isUnreachable: Bool { failures > 0 && state != .live }
}

extension StoredPeer {
  /// The rights of this library there.
  private var trust: Trust { .hub(grants) }

  /// Returns whether the peer takes this library's changes of a palette; of some palette when it is
  /// nil.
  func takes(_ palette: PaletteID?) -> Bool {
    guard let palette else { return grants.contains { Trust.hub([$0]).edits(nil) } }
    return trust.letsOutChanges(of: palette)
  }

  /// Returns whether the palette came from this peer to be looked at alone.
  func onlyShows(_ palette: PaletteID) -> Bool {
    trust.scope.covers(palette) && !trust.letsOutChanges(of: palette)
  }

  /// Returns whether the peer shares a palette with this library.
  package func shares(_ palette: PaletteID) -> Bool { trust.scope.covers(palette) }
}
