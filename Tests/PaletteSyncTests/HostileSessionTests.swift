import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// What a peer may not cause on a connection, whatever it says.
struct HostileSessionTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let other = PaletteID(RecordID(high: 1, low: 2))

  /// One end of a connection, and what it wants done.
  private final class End {
    let library = MemoryLibrary(NodeID(1))
    var session: SyncSession
    private(set) var actions: [SyncAction] = []
    var milliseconds: UInt64 = 1_000

    init(_ side: SyncSession.Side) {
      session = SyncSession(side, node: NodeID(1), library: RecordID(high: 0, low: 1))
    }

    /// An acceptor that let a member in.
    convenience init(member role: Role, on palette: PaletteID? = HostileSessionTests.palette) {
      self.init(.acceptor)
      handle(.opened)
      hear(.hello(Hello(node: NodeID(2), library: RecordID(high: 0, low: 2), milliseconds: 0)))
      handle(.accepted(GrantedAccess(grants: [Grant(role, on: palette)], nodes: [NodeID(2)])))
      actions = []
    }

    func handle(_ event: SyncEvent) {
      actions += session.handle(event, library: library, milliseconds: milliseconds)
    }

    func hear(_ frame: Frame) { handle(.received(frame.encoded)) }

    var sent: [Frame] {
      actions.compactMap { action in
        if case .send(let bytes) = action { try? Frame(decoding: bytes) } else { nil }
      }
    }

    var closed: SyncProtocol.CloseCode? {
      for case .close(let code, _) in actions { return code }
      return nil
    }

    var reissues: Int { actions.count { if case .reissue = $0 { true } else { false } } }
  }

  private func change(_ node: UInt64, _ sequence: UInt32 = 1, name: String = "x") -> [UInt8] {
    Edit.add(Self.palette.record, [.name: RegisterValue(text: name)]).change(
      dot: Dot(NodeID(node), sequence),
      stamp: Stamp(milliseconds: 1, counter: 0),
      previous: 0,
      frontier: [:],
      state: RecordState(),
      proof: { _ in 0 }
    ).encoded
  }

  @Test(arguments: [Role.viewer, .editor, .relay])
  func onlyBytesHaveOwnChangesIssuedAgain(role: Role) throws {
    let end = End(member: role)
    for number in 1...3 {
      _ = try end.library.author(
        .set(Self.palette.record, [.name: RegisterValue(text: "\(number)")]),
        in: Self.palette,
        at: 1
      )
    }
    end.hear(.nack(Self.palette, Dot(NodeID(1), 3), code: "fork", reason: ""))
    let asked = end.sent.contains { if case .linksOf = $0 { true } else { false } }
    #expect(asked == (role >= .relay))
    guard asked else { return }
    end.hear(.links(Self.palette, NodeID(1), (1...3).map { Frame.Link(sequence: $0, link: 9) }))
    // Links alone are claims: the first change that differs has to be shown.
    #expect(end.reissues == 0)
    let wanted = Frame.historyOf(Self.palette, NodeID(1), first: 1, last: 1_001)
    #expect(end.sent.contains(wanted))
    func show(_ changes: [[UInt8]]) {
      end.hear(
        .history(
          OldHistory(
            palette: Self.palette,
            node: NodeID(1),
            last: 1,
            sinceMilliseconds: nil,
            changes: changes
          )
        )
      )
    }
    let own = try #require(end.library.log[Self.palette]?.first?.bytes.array)
    show([own])
    #expect(end.reissues == 0)
    // It has had its chance, and has to begin again.
    show([change(1)])
    #expect(end.reissues == 0)
    end.handle(.rebuilt(Self.palette))
    end.hear(.nack(Self.palette, Dot(NodeID(1), 3), code: "fork", reason: ""))
    end.hear(.links(Self.palette, NodeID(1), (1...3).map { Frame.Link(sequence: $0, link: 9) }))
    show([change(1)])
    #expect(end.reissues == 1)
  }

  @Test func anEditorsSnapshotEndsTheConnection() {
    let empty = PaletteState(Self.palette).snapshot.encoded
    for role in [Role.viewer, .editor] {
      let end = End(member: role)
      end.hear(.snapshot(Self.palette, index: 0, isLast: true, empty))
      #expect(end.closed == .protocolError)
    }
    let stranger = End(member: .relay)
    stranger.hear(.snapshot(Self.other, index: 0, isLast: true, empty))
    #expect(stranger.closed == .protocolError)
    let relay = End(member: .relay)
    relay.hear(.snapshot(Self.palette, index: 0, isLast: true, empty))
    #expect(relay.closed == nil)
  }

  @Test func nothingIsUnpackedForAViewer() throws {
    var changes = [OutgoingChange(dot: Dot(NodeID(2), 1), bytes: ChangeBytes(change(2)))][...]
    let packed = try PackedChanges(first: &changes, payloadBytes: 1 << 14)
    let viewer = End(member: .viewer)
    viewer.hear(.packedChanges(Self.palette, packed))
    #expect(viewer.closed == .protocolError)
    let editor = End(member: .editor)
    editor.hear(.packedChanges(Self.palette, packed))
    #expect(editor.closed == nil)
    #expect(editor.actions.contains { if case .merge = $0 { true } else { false } })
  }

  @Test func fewRefusalsOfOneFrameAreNamed() throws {
    var changes = (10..<100).map {
      OutgoingChange(dot: Dot(NodeID($0), 1), bytes: ChangeBytes(change($0)))
    }[...]
    let packed = try PackedChanges(first: &changes, payloadBytes: 1 << 14)
    let end = End(member: .editor)
    end.hear(.packedChanges(Self.palette, packed))
    let nacks = end.sent.count { if case .nack = $0 { true } else { false } }
    #expect(nacks == SyncProtocol.nacksAFrame)
    #expect(!end.actions.contains { if case .merge = $0 { true } else { false } })
  }

  @Test func tooManyControlFramesAreRefused() {
    let end = End(member: .viewer)
    for _ in 0..<1_000 { end.hear(.ping(1)) }
    #expect(end.closed == nil)
    // With time there is room for more.
    end.milliseconds += 500
    for _ in 0..<500 { end.hear(.ping(1)) }
    #expect(end.closed == nil)
    end.hear(.ping(1))
    #expect(end.closed == .overBudget)
    #expect(
      end.sent.last
        == .refuse(code: "over-budget", reason: "too much was asked or stated on one connection")
    )
  }

  @Test func palettesThatAreAskedForAgainAndAgainAreRefused() {
    let end = End(member: .viewer, on: nil)
    let palettes = (0..<1_000).map { PaletteID(RecordID(high: 9, low: UInt64($0))) }
    // The first time of each is free, and answered, though nothing of it is here.
    for _ in 0..<2 {
      end.hear(.lacking(palettes))
      #expect(end.closed == nil)
    }
    end.hear(.lacking(palettes))
    #expect(end.closed == .overBudget)
  }

  @Test func aPaletteOutOfScopeIsNotAskedFor() {
    let end = End(member: .editor)
    end.hear(.lacking([Self.palette]))
    #expect(end.closed == nil)
    end.hear(.lacking([Self.palette, Self.other]))
    #expect(end.closed == .protocolError)
  }

  @Test func statementsThatAreKeptHaveAnEnd() {
    let end = End(member: .editor, on: nil)
    let frontier = Frontier(
      uniqueKeysWithValues: (0..<1_500).map { (NodeID($0 + 100), StreamHead(sequence: 5, link: 1)) }
    )
    for number in 0..<200 as Range<UInt64> where end.closed == nil {
      let palette = PaletteID(RecordID(high: 5, low: number))
      end.hear(.frontier(palette, frontier, .zero, asks: false, isLast: true))
    }
    #expect(end.closed == .overBudget)
    // Of whoever may push nothing, nothing has to be kept.
    let viewer = End(member: .viewer, on: nil)
    for number in 0..<200 as Range<UInt64> where viewer.closed == nil {
      let palette = PaletteID(RecordID(high: 5, low: number))
      viewer.hear(.frontier(palette, frontier, .zero, asks: false, isLast: true))
    }
    #expect(viewer.closed == nil && viewer.session.statementBytes == 0)
  }

  @Test func aListOfPalettesThatNeverEndsIsTooMuch() {
    let grants = [Grant(.relay)]
    let end = End(.dialer(SyncSession.Credentials(secret: [1], grants: grants)))
    end.handle(.opened)
    end.hear(
      .welcome(
        Welcome(
          version: 1,
          node: NodeID(2),
          library: RecordID(high: 0, low: 2),
          grants: grants,
          milliseconds: 0
        )
      )
    )
    #expect(end.session.statementLimit == 64 << 20)
    end.session.statementLimit = 1 << 20
    end.hear(.summary(Digest(Self.palette, .zero)))
    var number: UInt64 = 0
    while end.closed == nil, number < 100_000 {
      let entries = (0..<1_300).map { _ in
        number += 1
        return Frame.Entry(palette: PaletteID(RecordID(high: 3, low: number)), digest: .zero)
      }
      end.hear(.palettes(buckets: [0], entries: entries, isLast: false))
    }
    #expect(end.closed == .overBudget)
  }

  @Test(arguments: [1, 1_499, 1_500, 1_501, 4_000])
  func aLongFrontierTravelsInParts(authors: Int) {
    let frontier = Frontier(
      uniqueKeysWithValues: (1...authors).map {
        (NodeID(UInt64($0)), StreamHead(sequence: 1, link: 1))
      }
    )
    var table = HeldReports()
    var whole: Frontier?
    for (part, isLast) in frontier.parts {
      #expect(whole == nil)
      let frame = Frame.frontier(Self.palette, part, .zero, asks: true, isLast: isLast)
      #expect(frame.encoded.count <= SyncProtocol.payloadBytes)
      whole = table.assemble(part, of: Self.palette, isLast: isLast)
    }
    #expect(whole == frontier && table.byteCount == 0)
    #expect(Frontier().parts.map(\.isLast) == [true])
  }

  /// A hub says why it refuses somebody, or a change, at whatever length it likes.
  @Test func reasonsOfPeersAreKeptShortAndPlain() throws {
    let long = "\u{1B}[31m\u{202E}" + String(repeating: "no ", count: 20_000)
    var actions: [SyncAction] = []
    for (code, reason) in [(long, "no"), ("no", long)] {
      let end = End(.dialer(SyncSession.Credentials(grants: [Grant(.editor)])))
      end.handle(.opened)
      end.hear(.refuse(code: code, reason: reason))
      actions += end.actions
    }
    var told: [String] = []
    for action in actions {
      switch action {
      case .refused(let code, let reason), .refusedByPeer(_, _, let code, let reason):
        told += [code, reason]
      case .close(_, let reason): told.append(reason)
      default: break
      }
    }
    #expect(told.count(where: { $0.hasSuffix("…") }) == 3)
    for text in told {
      #expect(text.unicodeScalars.count <= SafeText.wordLimit + 10)
      #expect(!text.unicodeScalars.contains { $0.isControl || $0.isBidirectional })
    }
  }

  @Test func theSecretIsShownOnlyToWhoeverKnowsIt() throws {
    let secret = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 2, count: 32)
    let here = "127.0.0.1:4833"
    func dialer() -> End {
      let doubt = SyncSession.Doubt(nonce: nonce, address: here)
      let end = End(
        .dialer(SyncSession.Credentials(secret: secret, grants: [Grant(.relay)], doubt: doubt))
      )
      end.handle(.opened)
      return end
    }
    let challenge = Challenge(about: secret, nonce: nonce)
    let honest = dialer()
    #expect(honest.sent == [.challenge(challenge)])
    let own = [UInt8](repeating: 3, count: 32)
    honest.hear(.proof(Proof(of: SecretHash(of: secret), to: challenge, nonce: own, at: here)))
    guard case .hello(let hello)? = honest.sent.last else {
      Issue.record("\(honest.sent)")
      return
    }
    #expect(hello.secret == secret)
    // Who does not know it, or repeats what was proved before, or passes on what was proved at another
    // address, or asks at once, sees nothing.
    let before = Challenge(about: secret, nonce: own)
    for frame in [
      Frame.proof(Proof(of: SecretHash(of: [4]), to: challenge, nonce: own, at: here)),
      .proof(Proof(of: SecretHash(of: secret), to: before, nonce: own, at: here)),
      .proof(Proof(of: SecretHash(of: secret), to: challenge, nonce: own, at: "127.0.0.1:4834")),
      .proof(Proof(of: SecretHash(of: secret), to: challenge, nonce: own, at: "[::1]:4833")),
      .proof(Proof(of: SecretHash(of: secret), to: challenge, nonce: own, at: "")),
      .ping(1),
    ] {
      let end = dialer()
      end.hear(frame)
      #expect(end.closed == .protocolError && end.sent == [.challenge(challenge)])
    }
  }

  @Test func theAcceptorProvesWhatItKnows() throws {
    let secret = [UInt8](repeating: 1, count: 32)
    let challenge = Challenge(about: secret, nonce: [UInt8](repeating: 2, count: 32))
    let end = End(.acceptor)
    end.handle(.opened)
    end.hear(.challenge(challenge))
    #expect(end.actions == [.findSecret(challenge.secretID)])
    let here = "[::1]:4833"
    let own = [UInt8](repeating: 3, count: 32)
    end.handle(.found(SecretHash(of: secret), nonce: own, address: here))
    guard case .proof(let proof)? = end.sent.last else {
      Issue.record("\(end.actions)")
      return
    }
    #expect(proof.answers(challenge, about: secret, at: here))
    #expect(!proof.answers(challenge, about: [9], at: here))
    #expect(!proof.answers(challenge, about: secret, at: "127.0.0.1:4833"))
    // A hello may follow, and another challenge too.
    end.hear(.hello(Hello(node: NodeID(2), library: RecordID(high: 0, low: 2), milliseconds: 0)))
    #expect(end.closed == nil)
  }
}
