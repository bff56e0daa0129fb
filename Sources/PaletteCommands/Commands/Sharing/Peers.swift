internal import PaletteStore

extension Command {
  package static let peers = Command(
    "peers",
    .sharing,
    .read,
    summary: "Lists the peers that this library joined",
    details: ["Columns when piped: URL, state, pending, ms, clock offset, last ack, error."],
    examples: [.init("hued peers", "see who is connected")]
  ) { call in
    PeersAnswer(
      peers: try call.library.peerStates(),
      damage: call.library.sharing?.damage?.message
    )
  }
}

/// Where each joined peer stands.
private struct PeersAnswer: ObjectAnswer {
  let peers: [PeerState]
  let damage: String?

  static let fields: [Field<Self>] = [
    Field("peers") { $0.peers.map { PeerAnswer(state: $0) } },
    Field(whereKnown: "damage", "what is damaged here") { $0.damage },
  ]
}
