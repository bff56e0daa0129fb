internal import PaletteMerge
package import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// Changes that a member says to hold, that are missing here, and that it may not give.
package struct MissingChanges: Hashable {
  let count: Int
  /// The name of the member.
  let member: String

  package init(count: Int, member: String) {
    self.count = count
    self.member = member
  }
}

/// Whether this library is in sync with the peers that it joined and with its members, and if not, why.
struct SyncReport {
  /// The reasons why it is not in sync, each in a few words.
  private(set) var reasons: [String] = []

  /// A clock that is further off than this is worth telling.
  private static let clockToleranceMilliseconds: Int64 = 300_000
  /// The number of members of whom each is told what it holds.
  private static let toldMembers = 3

  /// Looks at peers.
  ///
  /// - Parameters:
  ///   - peers: All that this library joined.
  ///   - isRunning: Whether a node keeps connected with them.
  ///   - damage: What is damaged here, where a peer could not be served over it.
  ///   - missing: What members hold that is missing here.
  init(
    _ peers: [PeerState],
    isRunning: Bool,
    damage: StoreError? = nil,
    missing: [MissingChanges] = []
  ) {
    if let damage { reasons.append("this library is damaged: \(damage.message)") }
    reasons += missing.prefix(Self.toldMembers).map { missing in
      "\(missing.member) holds \(Self.count(missing.count)) that this library has lost or never had: "
        + "only a relay or an owner can bring \(missing.count == 1 ? "it" : "them")"
    }
    if missing.count > Self.toldMembers {
      reasons.append("so do \(missing.count - Self.toldMembers) more members")
    }
    guard !peers.isEmpty else { return }
    if !isRunning { reasons.append("no node runs here, so peers are met only at edits and 'sync'") }
    for peer in peers { reasons += Self.reasons(peer, isRunning: isRunning) }
  }

  private static func reasons(_ peer: PeerState, isRunning: Bool) -> [String] {
    var reasons: [String] = []
    let url = peer.peer.url
    let error = peer.error.map { ": \($0.reason)" } ?? ""
    switch peer.state {
    case .live where !peer.isCaughtUp:
      reasons.append(
        "catching up with \(url)"
          + (peer.changesToCome > 0 ? ", \(count(peer.changesToCome)) to come" : "")
      )
    case .live: if let error = peer.error { reasons.append(error.reason) }
    case .refused: reasons.append("\(url) refuses this library\(error)")
    case .connecting: reasons.append("connecting to \(url)\(error)")
    case .offline: if isRunning { reasons.append("\(url) cannot be reached\(error)") }
    }
    if peer.state != .live, peer.changesToCome > 0 {
      reasons.append("\(count(peer.changesToCome)) of \(url) are still to come")
    }
    if peer.pending > 0 {
      reasons.append("\(count(peer.pending)) wait\(peer.pending == 1 ? "s" : "") for \(url)")
    }
    // What waits for room is told above.
    if peer.withheld > 0, peer.error?.code != PeerError.overQuota {
      reasons.append(
        "\(count(peer.withheld)) can be given to \(url) only by a relay or an owner"
      )
    }
    if let offset = peer.clockOffsetMilliseconds, abs(offset) > clockToleranceMilliseconds {
      let minutes = abs(offset) / 60_000
      reasons.append(
        "the clock here is \(minutes) minutes \(offset > 0 ? "behind" : "ahead of") that of \(url)"
      )
    }
    return reasons
  }

  private static func count(_ changes: Int) -> String {
    "\(changes) change\(changes == 1 ? "" : "s")"
  }
}

/// The state of a library and its peers, for `status`, or for a program with a node of its own.
package struct SyncState {
  package let peers: [PeerState]
  /// The number of this library's own changes that wait, by palette; only those of which some do
  /// need be here.
  package let pending: [PaletteID: Int]
  /// The changes that members hold and that are missing here.
  package let missing: [MissingChanges]
  /// The reasons why the library is not in sync, each in a few words.
  package let reasons: [String]
}
