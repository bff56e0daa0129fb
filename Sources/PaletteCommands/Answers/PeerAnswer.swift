internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// A joined peer as `status`, `peers` and `watch` tell of it.
package struct PeerAnswer: ObjectAnswer {
  let state: PeerState

  package init(state: PeerState) {
    self.state = state
  }

  private var peer: StoredPeer { state.peer }

  package static let schemaName = "Peer"
  package static let fields: [Field<Self>] = [
    Field("url") { $0.peer.url },
    Field("state", words: PeerConnectionState.allCases.map(\.rawValue)) { $0.state.state.rawValue },
    Field("name") { $0.peer.name.isEmpty ? nil : $0.peer.name },
    // Of several grants, the first one stands for those who look at one.
    Field("role") { $0.peer.grants.first?.role.rawValue },
    Field("palette") { $0.peer.grants.first?.palette?.description },
    Field("grants") { $0.peer.grants.map { GrantAnswer(grant: $0) } },
    Field("pending") { $0.state.pending },
    Field("withheld") { $0.state.withheld },
    Field("rttMilliseconds") { $0.state.roundTripMilliseconds.map(Int.init) },
    Field("clockOffsetMilliseconds") { $0.state.clockOffsetMilliseconds.map(Int.init) },
    Field("since", "ISO 8601") { $0.state.sinceMilliseconds.map { $0.moment } },
    Field("lastContact", "ISO 8601") { $0.state.lastContactMilliseconds.map { $0.moment } },
    Field("lastAck", "ISO 8601") { $0.peer.lastAckMilliseconds.map { $0.moment } },
    Field("caughtUp") { $0.state.isCaughtUp },
    Field("toCome") { $0.state.changesToCome },
    // A failure is a round in which each address was tried.
    Field("unreachable") { $0.state.isUnreachable },
    Field("error") { $0.state.error?.text },
    Field(whereKnown: "code", "the word for the error that programs decide by") {
      $0.state.error?.code
    },
  ]
}

/// A right that somebody was granted.
struct GrantAnswer: ObjectAnswer {
  let grant: Grant

  static let fields: [Field<Self>] = [
    Field("role") { $0.grant.role.rawValue },
    Field("palette") { $0.grant.palette?.description },
    Field("expires", "ISO 8601") { $0.grant.expiresMilliseconds.map { $0.moment } },
  ]
}

extension Int64 {
  /// A number of milliseconds as a moment in ISO 8601.
  var moment: String { Moment(milliseconds: self).description }
}
