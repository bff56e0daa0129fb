package import PaletteMerge
package import PaletteModel
package import PaletteStore

/// Access of commands to a library: it is opened for one call, or a node holds it open.
package protocol LibraryAccess {
  /// The location of the library.
  var location: LibraryLocation { get }
  /// The present moment.
  var now: Moment { get }
  /// The name that the owner of the library wants to have.
  var ownName: String { get }
  /// The URLs at which a running node listens; nil when none runs.
  var listening: [String]? { get }

  /// The running node's part in sharing; nil if no node runs.
  var sharing: (any Sharing)? { get }

  /// The running node's part in linked files; nil if no node runs.
  var linking: (any Linking)? { get }

  /// The library for reading; nil when there is none, and then its answers are those of an empty one.
  func reading() throws -> ChangeStore?

  /// The library for writing; nil when there is none.
  func editing() throws -> ChangeStore?

  /// The library for writing, made when there is none.
  func creating() throws -> ChangeStore

  /// Tells whoever waits how far long work is.
  ///
  /// - Throws: `interrupted` when the work is to end; what it has not committed is undone then.
  func report(_ progress: Progress) throws(APIError)
}

extension LibraryAccess {
  /// Nobody waits in this process, unless said otherwise.
  package func report(_ progress: Progress) throws(APIError) {}

  /// Reports from within the store, whose errors are its own.
  func report(inStore progress: Progress) throws(StoreError) {
    do throws(APIError) {
      try report(progress)
    } catch {
      throw StoreError(code: .interrupted, message: error.message)
    }
  }

  /// The state of each joined peer; without a node none is connected.
  ///
  /// - Parameter palette: The palette that alone counts, with the peers that share it; nil for all.
  /// - Returns: The peers.
  /// - Throws: `StoreError` when the store failed.
  func peerStates(of palette: PaletteID? = nil) throws -> [PeerState] {
    if let sharing { return try sharing.peerStates(of: palette) }
    guard let store = try reading() else { return [] }
    let peers = try store.peers.all().filter { peer in palette.map { peer.shares($0) } ?? true }
    guard !peers.isEmpty else { return [] }
    let pending = try store.pendingChanges(at: peers, of: palette)
    return try peers.map { peer in
      var state = PeerState(peer: peer, state: peer.refusal == nil ? .offline : .refused)
      state.error = peer.refusal.map { PeerError(refusal: $0) }
      state.changesToCome = peer.changesToCome ?? 0
      state.pending = pending.atPeers[peer.url] ?? 0
      state.withheld = try store.peers.refusedCount(by: peer.url)
      return state
    }
  }

  /// The present state of the library, or one palette, and its peers.
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
      pending = try store.pendingChanges(at: peers.map(\.peer), of: palette).inPalettes
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
