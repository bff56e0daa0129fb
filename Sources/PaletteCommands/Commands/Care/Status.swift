internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let status = Command(
    "status",
    .care,
    .read,
    summary: "Shows the state of the library and of its peers",
    details: ["When piped, each line begins with a key; palettes and peers have a line each."],
    examples: [
      .init("hued status", "show everything"),
      .init("hued status --json", "show it to a script"),
    ],
    otherNames: ["state"]
  ) { call in
    let store = try call.library.reading()
    var palettes: [PaletteSummary] = []
    var digest = Digest.zero
    if let store {
      try store.read {
        palettes = try store.visiblePalettes()
        digest = try store.digest()
      }
    }
    let peers = try call.library.peerStates()
    var pending: [PaletteID: Int] = [:]
    if let store, !peers.isEmpty {
      let changes = try store.pendingChanges()
      for palette in changes.palettes {
        let urls = peers.filter { $0.takes(palette) }.map(\.peer.url)
        pending[palette] = changes.count(of: palette, at: urls)
      }
    }
    let missing = try call.library.sharing?.missingChanges() ?? []
    let report = SyncReport(
      peers,
      isRunning: call.library.listening != nil,
      damage: call.library.sharing?.damage,
      missing: missing
    )
    return StatusAnswer(
      node: store?.node,
      listening: call.library.listening,
      reasons: report.reasons,
      pending: pending,
      missing: missing.first?.count ?? 0,
      digest: digest,
      clockOffset: Int(store?.clockOffsetMilliseconds ?? 0),
      palettes: palettes,
      peers: peers
    )
  }
}

/// The state of the library and of its peers.
private struct StatusAnswer: ObjectAnswer {
  let node: NodeID?
  /// Where the node listens; nil when none runs.
  let listening: [String]?
  let reasons: [String]
  let pending: [PaletteID: Int]
  let missing: Int
  let digest: Digest
  let clockOffset: Int
  let palettes: [PaletteSummary]
  let peers: [PeerState]

  static let schemaName = "Status"
  static let fields: [Field<Self>] = [
    Field("node") { $0.node?.description }, Field("version") { _ in Release.version },
    Field("running") { $0.listening != nil }, Field("listening", "a URL") { $0.listening ?? [] },
    Field("inSync") { $0.reasons.isEmpty }, Field("reasons", "why not") { $0.reasons },
    Field("pending") { $0.pending.values.reduce(0, +) }, Field("missing") { $0.missing },
    Field("digest") { $0.digest.description }, Field("clockOffsetMilliseconds") { $0.clockOffset },
    Field("palettes") { status in
      status.palettes.map { PaletteStatus(palette: $0, pending: status.pending[$0.id] ?? 0) }
    },
    Field("peers") { $0.peers.map { PeerAnswer(state: $0) } },
  ]
}

private struct PaletteStatus: ObjectAnswer {
  let palette: PaletteSummary
  let pending: Int

  static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.palette.id.description },
    Field("name") { $0.palette.name }, Field("count") { $0.palette.count },
    Field("digest") { $0.palette.digest.description }, Field("pending") { $0.pending },
    Field("conflicts") { $0.palette.conflicts },
  ]
}
