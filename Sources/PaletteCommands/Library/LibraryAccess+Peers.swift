internal import PaletteModel
internal import PaletteStore

extension LibraryAccess {
  /// Where each joined peer stands; without a node nobody is connected.
  ///
  /// - Parameter palette: The palette that alone counts, with the peers that share it; nil for all.
  /// - Returns: The peers.
  /// - Throws: `StoreError` when the store failed.
  func peerStates(of palette: PaletteID? = nil) throws -> [PeerState] {
    if let sharing { return try sharing.peerStates(of: palette) }
    guard let store = try reading() else { return [] }
    let peers = try store.peers.all().filter { peer in palette.map { peer.shares($0) } ?? true }
    guard !peers.isEmpty else { return [] }
    let pending = try store.pendingChanges(of: palette)
    return try peers.map { peer in
      var state = PeerState(peer: peer, state: peer.refusal == nil ? "offline" : "refused")
      state.error = peer.refusal
      state.pending = pending.count(at: state)
      state.withheld = try store.peers.refusedCount(by: peer.url)
      return state
    }
  }
}
