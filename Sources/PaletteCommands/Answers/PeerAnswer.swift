internal import PaletteMerge
internal import PaletteModel
package import PaletteStore
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
package struct GrantAnswer: ObjectAnswer {
  let grant: Grant

  package static let fields: [Field<Self>] = [
    Field("role") { $0.grant.role.rawValue },
    Field("palette") { $0.grant.palette?.description },
    Field("expires", "ISO 8601") { $0.grant.expiresMilliseconds.map { $0.moment } },
  ]
}

extension Int64 {
  /// A number of milliseconds as a moment in ISO 8601.
  var moment: String { Moment(milliseconds: self).description }
}

extension Received where Form == PeerAnswer {
  package var url: String { text("url") }
  package var state: Word<PeerConnectionState> { word("state") }
  package var isLive: Bool { state.known == .live }
  package var isRefused: Bool { state.known == .refused }
  package var name: String? { optionalText("name") }
  package var grants: [Received<GrantAnswer>] { parts("grants") }
  package var pending: Int? { integer("pending") }
  package var roundTripMilliseconds: Double? { number("rttMilliseconds") }
  package var clockOffsetMilliseconds: Int? { integer("clockOffsetMilliseconds") }
  package var since: String? { optionalText("since") }
  package var lastContact: String? { optionalText("lastContact") }
  package var lastAck: String? { optionalText("lastAck") }
  package var error: String? { optionalText("error") }

  /// Returns whether the peer takes the changes of this library, and not those of its guests; those of some
  /// palette where it is nil.
  package func takesOnlyOwnChanges(of palette: String?) -> Bool {
    let roles = grants.filter { $0.palette == nil || palette == nil || $0.palette == palette }
      .compactMap { Role(rawValue: $0.role) }
    return roles.contains(.editor) && !roles.contains { $0 == .relay || $0 == .owner }
  }

  /// The peer as whoever waits for it sees it.
  package var standing: PeerStanding {
    let code = optionalText("code")
    let prefix = code.map { "\($0): " } ?? ""
    return PeerStanding(
      url: url,
      state: state.known ?? .offline,
      isCaughtUp: isSet("caughtUp"),
      pending: pending ?? 0,
      toCome: integer("toCome") ?? 0,
      isUnreachable: isSet("unreachable"),
      error: error.map {
        PeerError(code: code, String($0.dropFirst($0.hasPrefix(prefix) ? prefix.count : 0)))
      }
    )
  }
}

extension Received where Form == GrantAnswer {
  package var role: String { text("role") }
  package var palette: String? { optionalText("palette") }
  package var expires: String? { optionalText("expires") }
}
