internal import PaletteStore

extension Command {
  package static let peers = Command(
    "peers",
    .sharing,
    .read,
    view: .peers,
    summary: "Lists the peers that were joined, and the members let in",
    details: [
      "Columns when piped: URL, state, pending, ms, clock offset, last ack, error. Members have lines that "
        + "begin with member: name, kind, state, since, last contact, pending, palettes in view, id. A member "
        + "is live while it is connected; pending is what it lacks. Only an owner is told of members."
    ],
    examples: [.init("hued peers", "see who is connected")]
  ) { call in
    PeersAnswer(
      peers: try call.library.peerStates(),
      damage: call.library.sharing?.damage?.message,
      members: try call.members()
    )
  }
  .with(\.isPaged)
}

/// The state of each joined peer.
package struct PeersAnswer: ObjectAnswer {
  let peers: [PeerState]
  let damage: String?
  /// Everyone who is let in; nil where it is no owner who asks.
  let members: [MemberAnswer]?

  package static let fields: [Field<Self>] = [
    Field("peers") { $0.peers.map { PeerAnswer(state: $0) } },
    Field(whereKnown: "damage", "what is damaged here") { $0.damage },
    Field(whereKnown: "members", "everyone who is let in; told to owners") { $0.members },
  ]
}

extension Received where Form == PeersAnswer {
  package var peers: [Received<PeerAnswer>] { parts("peers") }
  package var damage: String? { optionalText("damage") }
  package var members: [Received<MemberAnswer>] { parts("members") }
}
