package import PaletteModel
package import PaletteStore

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

  /// Where the library, or one palette, and its peers stand now.
  ///
  /// - Parameters:
  ///   - palette: The palette that alone counts; nil for all.
  ///   - store: The library, opened for reading; nil where there is none.
  /// - Returns: The state.
  /// - Throws: `StoreError` when the store failed.
  package func syncState(
    of palette: PaletteID? = nil,
    in store: ChangeStore?
  ) throws -> SyncState {
    let peers = try peerStates(of: palette)
    var pending: [PaletteID: Int] = [:]
    if let store, !peers.isEmpty {
      if let palette {
        let urls = peers.filter { $0.takes(palette) }.map(\.peer.url)
        pending[palette] = urls.isEmpty ? 0 : try store.pending(of: palette, at: urls)
      } else {
        let changes = try store.pendingChanges()
        for palette in changes.palettes {
          let urls = peers.filter { $0.takes(palette) }.map(\.peer.url)
          pending[palette] = changes.count(of: palette, at: urls)
        }
      }
    }
    let missing = palette == nil ? try sharing?.missingChanges() ?? [] : []
    let report = SyncReport(
      peers,
      isRunning: listening != nil,
      damage: sharing?.damage,
      missing: missing
    )
    return SyncState(peers: peers, pending: pending, missing: missing, reasons: report.reasons)
  }
}
