import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Letting libraries in: by the secret of their member, by a join code, or by both.
struct UpgradeDecisionTests {
  private let library: TemporaryLibrary
  private let clock = ManualClock()
  private let store: ChangeStore
  private let code = [UInt8](repeating: 1, count: 32)
  private let secret = [UInt8](repeating: 2, count: 32)

  init() throws {
    let clock = clock
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
    try store.members.offer(
      Grant(.editor),
      code: code,
      codeExpiresMilliseconds: clock.milliseconds + 600_000
    )
  }

  private func introduction(
    secret: [UInt8],
    code: [UInt8] = [],
    library: UInt64 = 1,
    node: UInt64 = 1,
    others: [UInt64] = []
  ) -> Login {
    Login(
      secret: secret,
      code: code,
      library: RecordID(high: 1, low: library),
      name: "Ann",
      node: NodeID(node),
      otherNodes: others.map { NodeID($0) }
    )
  }

  @discardableResult
  private func redeem(library: UInt64 = 1, node: UInt64 = 1) throws -> AdmittedMember {
    let shown = introduction(secret: secret, code: code, library: library, node: node)
    return try store.admission.admit(shown).get()
  }

  /// Redeems a code with a secret of somebody else's.
  private func redeem(
    _ code: [UInt8],
    asStranger number: UInt8,
    library: UInt64 = 1,
    node: UInt64
  ) throws -> AdmittedMember {
    let own = [UInt8](repeating: number, count: 32)
    return try store.admission.admit(
      introduction(secret: own, code: code, library: library, node: node)
    )
    .get()
  }

  private func offer(_ byte: UInt8, _ grant: Grant = Grant(.editor)) throws -> [UInt8] {
    let code = [UInt8](repeating: byte, count: 32)
    try store.members.offer(grant, code: code, codeExpiresMilliseconds: nil)
    return code
  }

  /// Lets a node of a library in by its secret, and tells whether that was written.
  private func comeBack(library id: UInt64 = 1, node: UInt64 = 1) throws -> Bool {
    let before = try bytes(library.folder.databasePath + "-wal")
    let shown = introduction(secret: secret, library: id, node: node)
    let admitted = try store.admission.admit(shown).get()
    #expect(admitted.nodes.contains(NodeID(node)))
    #expect(try store.members.grants().first?.member == admitted.member)
    return try bytes(library.folder.databasePath + "-wal") != before
  }

  /// Holds a change of somebody's.
  private func hold(_ node: UInt64) throws {
    let palette = PaletteID(RecordID(high: 5, low: 5))
    let edit = Edit.add(palette.record, [.name: RegisterValue(text: "P")])
    let change = edit.change(
      dot: Dot(NodeID(node), 1),
      stamp: Stamp(milliseconds: 1, counter: 0),
      previous: 0,
      frontier: [:],
      state: RecordState(),
      proof: { _ in 0 }
    )
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette).merge(change.encoded)
    }
  }

  @Test func isWrittenOnceAMinute() throws {
    let begin = clock.milliseconds
    try redeem()
    clock.milliseconds += 59_999
    #expect(try !comeBack())
    #expect(try store.members.grants().first?.member?.lastSeenMilliseconds == begin)
    clock.milliseconds += 1
    #expect(try comeBack())
    #expect(try store.members.grants().first?.member?.lastSeenMilliseconds == begin + 60_000)
    // A clock that was put back does not hide for how long nobody came.
    clock.milliseconds = begin
    #expect(try comeBack())
    #expect(try store.members.grants().first?.member?.lastSeenMilliseconds == begin)
  }

  @Test func ofAnotherNodeIsWrittenAtOnce() throws {
    try redeem()
    #expect(try comeBack(node: 2))
    #expect(try !comeBack(node: 2))
    #expect(try comeBack(node: 1))
  }

  @Test func aCodeIsForOneSecret() throws {
    let first = try redeem()
    #expect(first.hasRedeemed && first.grants == [Grant(.editor)] && first.member.name == "Ann")
    // The library's id, which many know, is worth nothing.
    for library in [1, 2] as [UInt64] {
      #expect(throws: LoginRefusal.used) {
        try redeem(code, asStranger: 9, library: library, node: 2)
      }
    }
    #expect(throws: LoginRefusal.used) { try redeem(library: 2, node: 2) }
    #expect(try store.members.grants().first?.member?.id == first.member.id)
  }

  @Test func aLostAnswerIsGivenAgainToTheSecretHoweverLate() throws {
    let first = try redeem()
    clock.milliseconds += 600_001
    let again = try redeem()
    #expect(again.member.id == first.member.id && again.grants == first.grants)
    #expect(!again.hasRedeemed)
    #expect(try store.members.grants().count == 1)
  }

  @Test func aCodeThatNobodyRedeemedInTimeLetsNobodyIn() throws {
    clock.milliseconds += 600_001
    #expect(throws: LoginRefusal.expired) { try redeem() }
  }

  @Test func aCodeIsRedeemedWithASecretAlone() throws {
    for secret in [[], [7], [UInt8](repeating: 7, count: 33)] as [[UInt8]] {
      let shown = introduction(secret: secret, code: code)
      #expect(throws: LoginRefusal.unknown) { try store.admission.admit(shown).get() }
    }
  }

  /// A member's library id stands in its welcomes and codes.
  @Test func whoSaysToBeAMembersLibraryGetsNoneOfItsIDs() throws {
    try redeem(node: 1)
    try hold(1)
    let other = try offer(3)
    #expect(throws: LoginRefusal.nodeTaken) { try redeem(other, asStranger: 9, node: 1) }
    let liar = try redeem(other, asStranger: 9, node: 2)
    #expect(liar.nodes == [NodeID(2)] && liar.grants == [Grant(.editor)])
    #expect(try store.bindings.library(of: NodeID(2)) != RecordID(high: 1, low: 1))
    // It comes back as what it is, whatever it says, and takes no id from the member.
    let secret = [UInt8](repeating: 9, count: 32)
    let shown = introduction(secret: secret, node: 2, others: [1, 3])
    #expect(try store.admission.admit(shown).get().nodes == [NodeID(2), NodeID(3)])
    #expect(throws: LoginRefusal.nodeTaken) {
      try store.admission.admit(introduction(secret: secret, node: 1)).get()
    }
    let ann = try store.admission.admit(introduction(secret: self.secret)).get()
    #expect(ann.nodes == [NodeID(1)])
    #expect(throws: LoginRefusal.nodeTaken) { try comeBack(node: 2) }
  }

  @Test func whoSaysToBeAMembersLibraryGetsNoneOfItsName() throws {
    try redeem(node: 1)
    let other = try offer(3)
    var shown = introduction(secret: [UInt8](repeating: 9, count: 32), code: other, node: 2)
    shown.name = "Mallory"
    _ = try store.admission.admit(shown).get()
    #expect(try store.authors.memberName(of: NodeID(1)) == "Ann")
    #expect(try store.authors.memberName(of: NodeID(2)) == "Mallory")
  }

  @Test func theIDsOfAFormerMemberStayWithIt() throws {
    try redeem(node: 1)
    try hold(1)
    let grant = try #require(try store.members.grants().first?.grant.uid)
    #expect(try store.members.revokeGrant(grant))
    let other = try offer(3)
    #expect(throws: LoginRefusal.nodeTaken) { try redeem(other, asStranger: 9, node: 1) }
    // With its secret it is the same member again.
    let again = try store.admission.admit(introduction(secret: secret, code: other)).get()
    #expect(again.nodes == [NodeID(1)] && again.grants == [Grant(.editor)])
  }

  @Test func whoSaysToBeAJoinedHubGetsNoneOfItsIDs() throws {
    let hub = RecordID(high: 1, low: 7)
    try store.peers.save(
      StoredPeer(url: "hub", addresses: ["hub"], grants: [Grant(.editor)], library: hub)
    )
    #expect(try store.bindings.claim([NodeID(70)], for: hub) == [NodeID(70)])
    #expect(throws: LoginRefusal.nodeTaken) {
      try redeem(code, asStranger: 9, library: 7, node: 70)
    }
    #expect(try redeem(code, asStranger: 9, library: 7, node: 2).nodes == [NodeID(2)])
  }

  @Test func aSecondCodeAddsToTheMember() throws {
    let palette = PaletteID(RecordID(high: 7, low: 7))
    let other = [UInt8](repeating: 3, count: 32)
    try store.members.offer(Grant(.viewer, on: palette), code: other, codeExpiresMilliseconds: nil)
    let first = try redeem()
    let both = introduction(secret: secret, code: other)
    let second = try store.admission.admit(both).get()
    #expect(second.member.id == first.member.id && second.hasRedeemed)
    #expect(second.grants == [Grant(.editor), Grant(.viewer, on: palette)])
    // With a secret that is unknown here the code makes a new member.
    let third = try offer(4, Grant(.relay))
    let stranger = try redeem(third, asStranger: 8, library: 3, node: 3)
    #expect(stranger.grants == [Grant(.relay)] && stranger.member.id != first.member.id)
  }

  @Test func endsWithTheGrant() throws {
    try redeem()
    let grant = try #require(try store.members.grants().first?.grant.uid)
    #expect(try store.members.revokeGrant(grant))
    #expect(throws: LoginRefusal.revoked) { try comeBack() }
    #expect(throws: LoginRefusal.revoked) { try redeem() }
  }

  @Test func endsInTime() throws {
    let other = [UInt8](repeating: 3, count: 32)
    let end = clock.milliseconds + 1_000
    let grant = Grant(.editor, expiresMilliseconds: end)
    try store.members.offer(grant, code: other, codeExpiresMilliseconds: end)
    #expect(
      try store.admission.admit(introduction(secret: secret, code: other)).get().grants == [grant]
    )
    clock.milliseconds += 1_000
    #expect(throws: LoginRefusal.expired) { try comeBack() }
  }

  @Test func whatAFormerOwnerSharedEndsToo() throws {
    let ann = try store.members.makeMember(.page, secret: [1], grant: Grant(.owner))
    let bob = try store.members.makeMember(
      .page,
      secret: [2],
      grant: Grant(.owner),
      maker: ann.member.id
    )
    try store.members.makeMember(.script, secret: [3], grant: Grant(.editor), maker: bob.member.id)
    #expect(try store.members.caller(secret: [3]).get().grants == [Grant(.editor)])
    #expect(try store.members.revokeGrant(ann.grant))
    for secret in [[2], [3]] as [[UInt8]] {
      #expect(throws: LoginRefusal.revoked) { try store.members.caller(secret: secret).get() }
    }
  }

  /// The chain is one of owners: the library itself, an owner for a second, and two whom that one made.
  @Test func whatAnOwnerForATimeMakesEndsWithIt() throws {
    let members = store.members
    let end = clock.milliseconds + 1_000
    let owner = Grant(.owner, expiresMilliseconds: end)
    let ann = try members.makeMember(.page, secret: [1], grant: owner).member.id
    let later = Grant(.owner, expiresMilliseconds: end + 60_000)
    let bob = try members.makeMember(.script, secret: [2], grant: later, maker: ann).member.id
    try members.makeMember(.script, secret: [3], grant: Grant(.owner), maker: bob)
    let published = Grant(.viewer, on: PaletteID(RecordID(high: 7, low: 7)))
    try members.makeMember(.public, secret: [4], grant: published, maker: bob)
    let other = [UInt8](repeating: 3, count: 32)
    try members.offer(Grant(.relay), code: other, codeExpiresMilliseconds: nil, maker: bob)
    #expect(try members.publicGrants().count == 1)
    // Who redeems it in time has it as long as that.
    #expect(try store.admission.admit(introduction(secret: secret, code: other)).get().hasRedeemed)
    let further = [UInt8](repeating: 4, count: 32)
    try members.offer(Grant(.relay), code: further, codeExpiresMilliseconds: nil, maker: bob)
    clock.milliseconds = end
    for secret in [[1], [2], [3]] as [[UInt8]] {
      #expect(throws: LoginRefusal.expired) { try members.caller(secret: secret).get() }
    }
    let known = introduction(secret: secret)
    #expect(throws: LoginRefusal.expired) { try store.admission.admit(known).get() }
    let stranger = [UInt8](repeating: 9, count: 32)
    let late = introduction(secret: stranger, code: further, library: 2, node: 2)
    #expect(throws: LoginRefusal.expired) { try store.admission.admit(late).get() }
    #expect(try members.publicGrants().isEmpty)
    // Nothing is made any more, and what the library itself made counts.
    #expect(throws: StoreError.self) {
      try members.makeMember(.script, secret: [5], grant: Grant(.viewer), maker: bob)
    }
    let own = introduction(secret: stranger, code: code, library: 2, node: 2)
    #expect(try store.admission.admit(own).get().grants == [Grant(.editor)])
  }

  @Test func whatAGrantMadeEndsWithThatGrant() throws {
    let members = store.members
    let end = clock.milliseconds + 1_000
    let ann = try members.makeMember(.page, secret: [1], grant: Grant(.owner)).member
    let short = [UInt8](repeating: 3, count: 32)
    let owner = Grant(.owner, expiresMilliseconds: end)
    try members.offer(owner, code: short, codeExpiresMilliseconds: nil)
    // Of two grants the one that lasts longer is the one that shares.
    let grant = try #require(try members.grant(offeredBy: short))
    try members.give(grant, to: ann)
    let made = try members.makeMember(.script, secret: [2], grant: Grant(.relay), maker: ann.id)
    #expect(try members.grants(of: made.member.id).map(\.maker) == [ann.id])
    #expect(try members.caller(secret: [2]).get().grants == [Grant(.relay)])
    let version = members.version(of: made.member.id)
    let first = try #require(try members.grants(of: ann.id).first { $0.grant == Grant(.owner) })
    #expect(try members.revokeGrant(first.uid))
    #expect(throws: LoginRefusal.revoked) { try members.caller(secret: [2]).get() }
    #expect(members.version(of: made.member.id) != version)
    // What is made by the other one has its end.
    let later = try members.grant(Grant(.relay), madeBy: ann.id)
    #expect(later == Grant(.relay, expiresMilliseconds: end))
    #expect(try members.grant(Grant(.relay), madeBy: nil) == Grant(.relay))
  }

  @Test func aScriptsSecretIsOfNoUseForSyncing() throws {
    try store.members.makeMember(.script, secret: secret, grant: Grant(.relay))
    for code in [[], code] {
      #expect(throws: LoginRefusal.unknown) {
        try store.admission.admit(introduction(secret: secret, code: code)).get()
      }
    }
  }

  @Test func letsNobodyInAsItself() throws {
    var shown = introduction(secret: secret, code: code)
    shown.node = store.node
    #expect(throws: LoginRefusal.nodeTaken) { try store.admission.admit(shown).get() }
  }

  @Test func nobodyTakesAnIDOfWhichChangesAreHeld() throws {
    try hold(9)
    #expect(throws: LoginRefusal.nodeTaken) { try redeem(node: 9) }
    // Unless somebody who is believed told that it is the library's own.
    try store.bindings.learn([(NodeID(9), RecordID(high: 1, low: 1))])
    #expect(try redeem(node: 9).nodes == [NodeID(9)])
    // What is bound and used stays bound; what nobody has used yet is a claim.
    #expect(try store.bindings.learn([(NodeID(9), RecordID(high: 1, low: 2))]).new.isEmpty)
    try store.bindings.learn([(NodeID(10), RecordID(high: 1, low: 1))])
    let told = try store.bindings.learn([(NodeID(10), RecordID(high: 1, low: 2))])
    #expect(told.new.map(\.node) == [NodeID(10)] && told.losers == [RecordID(high: 1, low: 1)])
  }

  /// Whoever reads such a change learns of the id before a change of it is here.
  @Test func nobodyTakesAnIDThatSomebodySaysToHaveSeen() throws {
    let palette = PaletteID(RecordID(high: 5, low: 5))
    func merge(
      _ sequence: UInt32,
      _ previous: UInt64,
      saw: [SeenDot],
      _ frontier: [SeenDot]
    ) throws -> UInt64 {
      let name = Change.Write(.name, saw: saw, value: RegisterValue(text: "P"))
      let change = Change(
        dot: Dot(NodeID(9), sequence),
        stamp: Stamp(milliseconds: 1, counter: 0),
        previous: previous,
        record: palette.record,
        kind: frontier.isEmpty ? .set : .drop,
        writes: frontier.isEmpty ? [name] : [],
        covers: [],
        frontier: frontier
      )
      try store.merge([change.encoded], into: palette)
      return ChangeHash(of: change.encoded, in: palette).link
    }
    let link = try merge(1, 0, saw: [SeenDot(Dot(NodeID(20), 1), proof: 1)], [])
    _ = try merge(
      2,
      link,
      saw: [],
      [SeenDot(Dot(NodeID(9), 1)), SeenDot(Dot(NodeID(21), 3), proof: 1)]
    )
    #expect(try store.frontier(of: palette)[NodeID(9)]?.sequence == 2)
    for node in [20, 21] as [UInt64] {
      #expect(throws: LoginRefusal.nodeTaken) { try redeem(node: node) }
    }
    #expect(try store.bindings.isTaken(NodeID(20)) && !store.bindings.isTaken(NodeID(22)))
    #expect(try redeem(node: 22).nodes == [NodeID(22)])
  }

  @Test func otherIDsAreBoundToo() throws {
    try hold(9)
    let others = [2, 9, store.node.rawValue]
    let shown = introduction(secret: secret, code: code, node: 1, others: others)
    #expect(try store.admission.admit(shown).get().nodes == [NodeID(1), NodeID(2)])
  }

  @Test func aMemberKeepsFewUnusedIDs() throws {
    try redeem()
    try hold(1)
    for node in 2...200 as ClosedRange<UInt64> { _ = try comeBack(node: node) }
    let bound = try store.bindings.nodes(boundTo: RecordID(high: 1, low: 1))
    #expect(bound.count == 65)
    #expect(bound.contains(NodeID(1)) && bound.contains(NodeID(200)))
  }

  @Test func aSecretIsFoundByTheBeginningOfItsHash() throws {
    let hash = SecretHash(of: code)
    #expect(try store.members.secretHash(beginning: Array(hash.bytes.prefix(8))) == hash)
    try redeem()
    let own = SecretHash(of: secret)
    #expect(try store.members.secretHash(beginning: Array(own.bytes.prefix(8))) == own)
    #expect(try store.members.secretHash(beginning: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
  }
}
