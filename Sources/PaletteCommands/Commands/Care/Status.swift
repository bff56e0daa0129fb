package import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let status = Command(
    "status",
    .care,
    .read,
    view: .status,
    summary: "Shows the state of the library and of its peers",
    details: [
      "With PALETTE it shows that palette alone, and what concerns it. When piped, each line begins "
        + "with a key; palettes and peers have a line each."
    ],
    positionals: [.onlyPalette],
    examples: [
      .init("hued status", "show everything"),
      .init("hued status Sunset", "show what concerns one palette"),
      .init("hued status --json", "show it to a script"),
    ],
    otherNames: ["state"],
    remark:
      "an answer that would be too long lists some palettes only, and `more` is true then: "
      + "`palettes` pages through all",
    more: [
      Parameter("limit", .integer, "how many palettes are listed at most").optional
    ]
  ) { call in
    if try call.parameters.optionalText("palette") != nil { return try call.statusOfPalette() }
    let limit = try call.parameters.optionalCount("limit") ?? .max
    let store = try call.library.reading()
    var library = LibraryStatus()
    if let store {
      try store.read {
        let bytes = ChangeStore.pageBytes
        library = LibraryStatus(
          page: try store.palettePage(limit: limit, byteLimit: bytes) ?? PalettePage(),
          totals: try store.totals(),
          digest: try store.digest()
        )
      }
    }
    let sync = try call.library.syncState(in: store)
    return StatusAnswer(
      node: store?.node,
      listening: call.library.listening,
      reasons: sync.reasons,
      notice: store?.notice,
      pending: sync.pending,
      missing: sync.missing.first?.count ?? 0,
      clockOffset: Int(store?.clockOffsetMilliseconds ?? 0),
      library: library,
      peers: sync.peers,
      members: try call.members()
    )
  }
  .with(\.isPaged)
  .with(\.programPart, .status)
}

extension LibraryCall {
  /// The state of one palette, and of the peers that share it.
  fileprivate func statusOfPalette() throws -> StatusAnswer {
    try readingPalette { store, palette in
      let sync = try library.syncState(of: palette.id, in: store)
      let peers = sync.peers.map { state in
        var state = state
        state.peer.grants.removeAll { ($0.palette ?? palette.id) != palette.id }
        return state
      }
      var page = PalettePage()
      page.append(palette)
      return StatusAnswer(
        node: store.node,
        listening: library.listening,
        reasons: sync.reasons,
        notice: store.notice,
        pending: sync.pending,
        missing: 0,
        clockOffset: Int(store.clockOffsetMilliseconds),
        library: LibraryStatus(
          page: page,
          totals: try store.totals(),
          digest: try store.digest()
        ),
        peers: peers,
        members: try members(of: palette.id)
      )
    }
  }
}

/// The part of a status that concerns palettes.
private struct LibraryStatus {
  var page = PalettePage()
  var totals: LibraryTotals?
  var digest = Digest.zero
}

/// The state of the library and of its peers.
package struct StatusAnswer: ObjectAnswer {
  let node: NodeID?
  /// The addresses at which the node listens; nil if none runs.
  let listening: [String]?
  let reasons: [String]
  let notice: String?
  let pending: [PaletteID: Int]
  let missing: Int
  let clockOffset: Int
  fileprivate let library: LibraryStatus
  let peers: [PeerState]
  /// Everyone who is let in; nil where it is no owner who asks.
  let members: [MemberAnswer]?

  package static let schemaName = "Status"
  package static let fields: [Field<Self>] = [
    Field("node") { $0.node?.description }, Field("version") { _ in Release.version },
    Field("running") { $0.listening != nil }, Field("listening", "a URL") { $0.listening ?? [] },
    Field("inSync") { $0.reasons.isEmpty }, Field("reasons", "why not") { $0.reasons },
    Field(whereKnown: "notice", "what befell the library") { $0.notice },
    Field("pending") { $0.pending.values.reduce(0, +) }, Field("missing") { $0.missing },
    Field("digest") { $0.library.digest.description },
    Field("clockOffsetMilliseconds") { $0.clockOffset },
    Field("totals", "of the whole library") { TotalsAnswer(totals: $0.library.totals) },
    Field("palettes") { status in
      status.library.page.palettes.map {
        PaletteStatus(palette: $0, pending: status.pending[$0.id] ?? 0, peers: status.peers)
      }
    },
    Field(whereKnown: "more", "true where others come behind these palettes") {
      $0.library.page.hasMore ? true : nil
    },
    Field("peers") { $0.peers.map { PeerAnswer(state: $0) } },
    Field(whereKnown: "members", "everyone who is let in; told to owners") { $0.members },
  ]
}

private struct TotalsAnswer: ObjectAnswer {
  let totals: LibraryTotals?

  static let fields: [Field<Self>] = [
    Field("palettes") { $0.totals?.palettes ?? 0 }, Field("colors") { $0.totals?.colors ?? 0 },
    Field("conflicts") { $0.totals?.conflicts ?? 0 }, Field("changes") { $0.totals?.changes ?? 0 },
  ]
}

package struct PaletteStatus: ObjectAnswer {
  let palette: PaletteSummary
  let pending: Int
  /// The peers that this library joined.
  let peers: [PeerState]

  package static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.palette.id.description },
    Field("name") { $0.palette.name }, Field("count") { $0.palette.count },
    Field("digest") { $0.palette.digest.description }, Field("pending") { $0.pending },
    Field("conflicts") { $0.palette.conflicts },
    Field("with", "the joined peers that carry it") { status in
      status.peers.filter { $0.peer.shares(status.palette.id) }.map(\.url)
    },
  ]
}

extension Received where Form == StatusAnswer {
  package var node: String { text("node") }
  package var version: String { text("version") }
  package var isRunning: Bool { isSet("running") }
  package var listening: [String] { texts("listening") }
  package var isInSync: Bool { !isFalse("inSync") }
  package var reasons: [String] { texts("reasons") }
  package var pending: Int? { integer("pending") }
  package var missing: Int? { integer("missing") }
  package var digest: String { text("digest") }
  package var totals: JSON? { json["totals"] }
  /// The number of palettes of the whole library.
  package var paletteCount: Int? { totals["palettes"].intValue }
  /// The number of conflicts of the whole library.
  package var conflictCount: Int? { totals["conflicts"].intValue }
  package var palettes: [Received<PaletteStatus>] { parts("palettes") }
  package var hasMore: Bool { isSet("more") }
  package var peers: [Received<PeerAnswer>] { parts("peers") }
  package var members: [Received<MemberAnswer>] { parts("members") }
}

extension Received where Form == PaletteStatus {
  package var id: String { text("id") }
  package var name: String { text("name") }
  package var count: Int? { integer("count") }
  package var digest: String { text("digest") }
  package var pending: Int? { integer("pending") }
  package var conflicts: Int? { integer("conflicts") }
  /// The addresses of the peers that carry it; nil where nobody says so.
  package var peers: [String]? { has("with") ? texts("with") : nil }
}
