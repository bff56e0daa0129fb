import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Letting libraries in: by the secret of their member, by a join code, or by both.
struct AdmissionTests {
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
    secret: [UInt8] = [],
    code: [UInt8] = [],
    library: UInt64 = 1,
    node: UInt64 = 1,
    others: [UInt64] = []
  ) -> Introduction {
    Introduction(
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
    try store.admit(introduction(code: code, library: library, node: node), fresh: secret).get()
  }

  /// Lets a node of a library in by its secret, and tells whether that was written.
  private func comeBack(library id: UInt64 = 1, node: UInt64 = 1) throws -> Bool {
    let before = try bytes(library.folder.databasePath + "-wal")
    let shown = introduction(secret: secret, library: id, node: node)
    let admitted = try store.admit(shown, fresh: []).get()
    #expect(admitted.nodes.contains(NodeID(node)) && !admitted.isFresh)
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
      state: RecordState()
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

  @Test func aCodeIsForOneLibrary() throws {
    let first = try redeem()
    #expect(first.isFresh && first.grants == [Grant(.editor)] && first.member.name == "Ann")
    #expect(throws: AdmissionRefusal.used) { try redeem(library: 2, node: 2) }
    // The same library may redeem it again, in case the answer was lost.
    let again = try redeem()
    #expect(again.isFresh && again.member.id == first.member.id)
    clock.milliseconds += 600_001
    #expect(throws: AdmissionRefusal.expired) { try redeem() }
    #expect(try comeBack())
  }

  @Test func aSecondCodeAddsToTheMember() throws {
    let palette = PaletteID(RecordID(high: 7, low: 7))
    let other = [UInt8](repeating: 3, count: 32)
    try store.members.offer(Grant(.viewer, on: palette), code: other, codeExpiresMilliseconds: nil)
    let first = try redeem()
    let both = introduction(secret: secret, code: other)
    let second = try store.admit(both, fresh: [9]).get()
    #expect(second.member.id == first.member.id && !second.isFresh)
    #expect(second.grants == [Grant(.editor), Grant(.viewer, on: palette)])
    // With a secret that is unknown here the code counts alone.
    let third = [UInt8](repeating: 4, count: 32)
    try store.members.offer(Grant(.relay), code: third, codeExpiresMilliseconds: nil)
    let stranger = introduction(secret: [8], code: third)
    #expect(try store.admit(stranger, fresh: [9]).get().grants == [Grant(.relay)])
  }

  @Test func endsWithTheGrant() throws {
    try redeem()
    let grant = try #require(try store.members.grants().first?.grant.uid)
    #expect(try store.members.revokeGrant(grant))
    #expect(throws: AdmissionRefusal.revoked) { try comeBack() }
    #expect(throws: AdmissionRefusal.revoked) { try redeem() }
  }

  @Test func endsInTime() throws {
    let other = [UInt8](repeating: 3, count: 32)
    let end = clock.milliseconds + 1_000
    let grant = Grant(.editor, expiresMilliseconds: end)
    try store.members.offer(grant, code: other, codeExpiresMilliseconds: end)
    #expect(try store.admit(introduction(code: other), fresh: secret).get().grants == [grant])
    clock.milliseconds += 1_000
    #expect(throws: AdmissionRefusal.expired) { try comeBack() }
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
      #expect(throws: AdmissionRefusal.revoked) { try store.members.caller(secret: secret).get() }
    }
  }

  @Test func aScriptsSecretIsOfNoUseForSyncing() throws {
    try store.members.makeMember(.script, secret: [7], grant: Grant(.relay))
    #expect(throws: AdmissionRefusal.unknown) {
      try store.admit(introduction(secret: [7]), fresh: []).get()
    }
  }

  @Test func letsNobodyInAsItself() throws {
    var shown = introduction(code: code)
    shown.node = store.node
    #expect(throws: AdmissionRefusal.nodeTaken) { try store.admit(shown, fresh: secret).get() }
  }

  @Test func nobodyTakesAnIDOfWhichChangesAreHeld() throws {
    try hold(9)
    #expect(throws: AdmissionRefusal.nodeTaken) { try redeem(node: 9) }
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
      saw: [Dot],
      _ frontier: [Dot]
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
    let link = try merge(1, 0, saw: [Dot(NodeID(20), 1)], [])
    _ = try merge(2, link, saw: [], [Dot(NodeID(9), 1), Dot(NodeID(21), 3)])
    #expect(try store.frontier(of: palette)[NodeID(9)]?.sequence == 2)
    for node in [20, 21] as [UInt64] {
      #expect(throws: AdmissionRefusal.nodeTaken) { try redeem(node: node) }
    }
    #expect(try store.bindings.isTaken(NodeID(20)) && !store.bindings.isTaken(NodeID(22)))
    #expect(try redeem(node: 22).nodes == [NodeID(22)])
  }

  @Test func otherIDsAreBoundToo() throws {
    try hold(9)
    let shown = introduction(code: code, node: 1, others: [2, 9, store.node.rawValue])
    #expect(try store.admit(shown, fresh: secret).get().nodes == [NodeID(1), NodeID(2)])
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
