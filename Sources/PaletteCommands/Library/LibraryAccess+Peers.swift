internal import PaletteStore

extension LibraryAccess {
  /// Where each joined peer stands; without a node nobody is connected.
  func peerStates() throws -> [PeerState] {
    if let sharing { return try sharing.peerStates() }
    guard let store = try reading() else { return [] }
    let peers = try store.peers()
    guard !peers.isEmpty else { return [] }
    let pending = try store.pendingChanges()
    return try peers.map { peer in
      var state = PeerState(peer: peer, state: peer.refusal == nil ? "offline" : "refused")
      state.error = peer.refusal
      state.pending = pending.count(at: state)
      state.withheld = try store.refusedCount(by: peer.url)
      return state
    }
  }
}
