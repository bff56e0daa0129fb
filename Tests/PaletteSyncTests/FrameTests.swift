import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport
import Testing

/// The bytes of every frame, frozen.
struct FrameTests {
  static let palette = PaletteID(RecordID(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111))
  static let id = "5011111111111141118111111111111111"
  static let digest = Digest("000102030405060708090a0b0c0d0e0f") ?? .zero
  static let digestHex = "50000102030405060708090a0b0c0d0e0f"
  static let frontier: Frontier = [
    NodeID(2): StreamHead(sequence: 300, link: 7), NodeID(1): StreamHead(sequence: 1, link: 0xFF),
  ]
  static let frontierHex = "a2 01 82 01 4800000000000000ff 02 82 19012c 480000000000000007"

  static let examples: [(Frame, String)] = [
    (
      .hello(
        Hello(
          versions: [1],
          features: ["x"],
          node: NodeID(5),
          library: palette.record,
          name: "ann",
          milliseconds: 1_700_000_000_000,
          secret: [0xAA, 0xBB],
          code: [0xCC],
          otherNodes: [NodeID(4)]
        )
      ),
      "8a 00 81 01 81 6178 05 \(id) 63616e6e 1b0000018bcfe56800 42aabb 41cc 81 04"
    ),
    (
      .welcome(
        Welcome(
          version: 1,
          node: NodeID(6),
          library: palette.record,
          name: "hub",
          grants: [
            Grant(.editor, on: palette), Grant(.relay, expiresMilliseconds: 1_700_000_000_000),
          ],
          milliseconds: 10,
          features: ["x"]
        )
      ),
      "89 01 01 06 \(id) 63687562 82 83 66656469746f72 \(id) f6"
        + "83 6572656c6179 f6 1b0000018bcfe56800 1a00010000 0a 81 6178"
    ),
    (
      .challenge(
        Challenge(
          secretID: [UInt8](repeating: 1, count: 8),
          nonce: [UInt8](repeating: 2, count: 32)
        )
      ),
      "83 18 19 480101010101010101 5820" + String(repeating: "02", count: 32)
    ),
    (
      .proof(
        Proof(nonce: [UInt8](repeating: 3, count: 32), code: [UInt8](repeating: 4, count: 32))
      ),
      "83 18 1a 5820" + String(repeating: "03", count: 32) + "5820"
        + String(repeating: "04", count: 32)
    ),
    (
      .bindings([Frame.Binding(node: NodeID(7), library: palette.record)]),
      "82 18 1b 81 82 07 \(id)"
    ),
    (.giveBack(palette), "82 18 1c \(id)"), (.giveBack(nil), "82 18 1c f6"),
    (
      .packed(palette, PackedPart(index: 2, isLast: false, plain: [1], squeezed: [2, 3])),
      "86 17 \(id) 02 f4 4101 420203"
    ),
    (
      .packedChanges(palette, PackedChanges(plain: [1], squeezed: [2, 3])),
      "84 18 18 \(id) 4101 420203"
    ),
    (.lacking([palette]), "82 18 1d 81 \(id)"),
    (
      .whole(
        WholePalettes(
          entries: [WholePalettes.Entry(palette: palette, digest: digest, rows: 7)],
          rows: PackedChanges(plain: [1], squeezed: [2, 3])
        )
      ), "84 18 1e 81 83 \(id) \(digestHex) 07 4101 420203"
    ),
    (
      .acks([Frame.Held(palette: palette, frontier: frontier)]),
      "82 18 1f 81 82 \(id) \(frontierHex)"
    ), (.refuse(code: "a", reason: "b"), "83 02 6161 6162"),
    (.summary(digest), "82 03 \(digestHex)"),
    (
      .buckets([Digest](repeating: digest, count: 256)),
      "82 04 990100" + String(repeating: digestHex, count: 256)
    ),
    (
      .palettes(
        buckets: [0, 17],
        entries: [Frame.Entry(palette: palette, digest: digest)],
        isLast: true
      ),
      "84 05 420011 81 82 \(id) \(digestHex) f5"
    ),
    (
      .frontier(palette, frontier, digest, asks: true, isLast: false),
      "86 06 \(id) \(frontierHex) \(digestHex) f5 f4"
    ),
    (
      .changes(palette, NodeID(9), first: 4, [[1, 2], [3]]),
      "85 07 \(id) 09 04 82 420102 4103"
    ),
    (
      .snapshot(palette, index: 2, isLast: false, [1, 2, 3]), "85 08 \(id) 02 f4 43010203"
    ),
    (.ack(palette, frontier), "83 09 \(id) \(frontierHex)"),
    (
      .nack(palette, Dot(NodeID(9), 4), code: "fork", reason: "r"),
      "86 0a \(id) 09 04 64666f726b 6172"
    ),
    (.credit(1_048_576), "82 0b 1a00100000"),
    (.historyOf(palette, NodeID(5), first: 1, last: 500), "85 14 \(id) 05 01 1901f4"),
    (
      .history(
        OldHistory(
          palette: palette,
          node: NodeID(5),
          last: 3,
          sinceMilliseconds: 1_700_000_000_000,
          changes: [[1, 2]]
        )
      ), "86 15 \(id) 05 03 1b0000018bcfe56800 81 420102"
    ),
    (
      .presence(
        Presence(
          who: Presence.Who(node: NodeID(5), session: 7),
          name: "ann",
          milliseconds: 1_700_000_000_000,
          palette: palette
        )
      ), "87 0c 05 07 63616e6e 1b0000018bcfe56800 \(id) f6"
    ),
    (.ping(1), "82 0d 01"), (.pong(1, 2), "83 0e 01 02"),
    (.goaway(retryAfterMilliseconds: 500), "82 0f 1901f4"), (.bye, "81 10"),
  ]

  @Test(arguments: examples)
  func hasOneEncoding(frame: Frame, hex: String) throws {
    let bytes = bytes(hex: hex)
    #expect(frame.encoded == bytes, "\(frame)")
    #expect(try Frame(decoding: bytes) == frame)
    for length in 0..<min(bytes.count, 64) {
      #expect(throws: MalformedFrame.self) { try Frame(decoding: Array(bytes.prefix(length))) }
    }
    #expect(throws: MalformedFrame.self) { try Frame(decoding: bytes + [0]) }
  }

  @Test(arguments: [
    "8111", "82 18 03 00", "83 18 19 40 40", "83 18 20 40 40", "830161610f", "80", "a0", "8200",
    "82 03 41 00",
  ])
  func refusesWhatIsNoFrame(hex: String) {
    #expect(throws: MalformedFrame.self) { try Frame(decoding: bytes(hex: hex)) }
  }

  @Test func refusesFramesOver64KiB() {
    let large = Frame.snapshot(
      Self.palette,
      index: 0,
      isLast: true,
      [UInt8](repeating: 0, count: 65_600)
    )
    #expect(throws: MalformedFrame.self) { try Frame(decoding: large.encoded) }
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func survivesGarbage(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for (frame, _) in Self.examples {
      var bytes = frame.encoded
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8(
          truncatingIfNeeded: random.next()
        )
      }
      // Whatever it reads, it reads as the one encoding of it.
      if let read = try? Frame(decoding: bytes) { #expect(read.encoded == bytes) }
    }
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func snapshotsSurvive(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    for node in script.nodes {
      let snapshot = node.snapshot
      #expect(try Snapshot(decoding: snapshot.encoded) == snapshot, "replay with seed \(seed)")
    }
  }

  private func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
