import PaletteMerge
import PaletteModel
import PaletteSync

extension FuzzTarget {
  static let frames = FuzzTarget(
    name: "frames",
    summary: "a frame of hued.sync.v1",
    words: [
      "hued.sync.v1", "viewer", "editor", "relay", "owner", "packed-snapshots", "packed-changes",
      "whole-palettes",
    ],
    seeds: { try examples().map(\.encoded) },
    check: { bytes in
      guard
        let frame = try accepted(bytes, { () throws(MalformedFrame) in try Frame(decoding: bytes) })
      else { return }
      let encoded = frame.encoded
      try ensure(encoded == bytes, "not the one encoding: \(frame)")
      try ensure(try Frame(decoding: encoded) == frame, "it means something else: \(frame)")
    }
  )

  static func examples() throws -> [Frame] {
    let (state, changes) = try Examples.state()
    let palette = Examples.palette
    let own = try changes.filter { try Change(decoding: $0, in: palette).dot.node == NodeID(1) }
    let hello = Hello(
      versions: [1],
      features: ["presence", "packed-snapshots", "packed-changes", "whole-palettes"],
      node: NodeID(2),
      library: Examples.record,
      name: "ann",
      milliseconds: 1_700_000_000_000,
      secret: [1, 2, 3],
      otherNodes: [NodeID(7)]
    )
    func welcome(_ grants: [Grant]) -> Frame {
      .welcome(
        Welcome(
          version: 1,
          node: NodeID(3),
          library: Examples.record,
          name: "hub",
          grants: grants,
          frameBytes: 65_536,
          milliseconds: 1,
          features: ["packed-snapshots", "packed-changes", "whole-palettes"]
        )
      )
    }
    var lacking = try changes.map {
      OutgoingChange(dot: try Change(decoding: $0, in: palette).dot, bytes: ChangeBytes($0))
    }[...]
    let packed = try PackedChanges(first: &lacking, payloadBytes: 1 << 14)
    return [
      .hello(hello), welcome([Grant(.editor)]),
      welcome([Grant(.viewer, on: palette, expiresMilliseconds: 9)]),
      .refuse(code: "version", reason: "too old"), .summary(state.digest),
      .palettes(
        buckets: [0, 136],
        entries: [Frame.Entry(palette: palette, digest: state.digest)],
        isLast: true
      ),
      .frontier(palette, state.frontier, state.digest, asks: true, isLast: true),
      .changes(palette, NodeID(1), first: 1, Array(own.prefix(3))),
      .snapshot(palette, index: 0, isLast: true, Array(state.snapshot.encoded.prefix(200))),
      .ack(palette, state.frontier),
      .nack(palette, Dot(NodeID(1), 7), code: "malformed", reason: "no"), .credit(1 << 20),
      .presence(
        Presence(
          who: Presence.Who(node: NodeID(1), session: 2),
          name: "ann",
          milliseconds: 3,
          palette: palette,
          selection: nil
        )
      ), .ping(5), .pong(5, 6), .goaway(retryAfterMilliseconds: 1000), .bye,
      .linksOf(palette, NodeID(1), [1, 7]), .historyOf(palette, NodeID(1), first: 1, last: 9),
      .history(
        OldHistory(
          palette: palette,
          node: NodeID(1),
          last: 9,
          sinceMilliseconds: 5,
          changes: Array(own.prefix(2))
        )
      ),
      .links(
        palette,
        NodeID(1),
        [Frame.Link(sequence: 1, link: nil), .init(sequence: 7, link: 9)]
      ), .packedChanges(palette, packed), .giveBack(palette), .whole(try Examples.wholePalettes()),
      .lacking([palette]),
      .acks([Frame.Held(palette: palette, frontier: state.frontier)]),
      .challenge(Challenge(about: [1], nonce: [UInt8](repeating: 2, count: 32))),
      .bindings([Frame.Binding(node: NodeID(1), library: Examples.record)]),
    ]
  }
}
