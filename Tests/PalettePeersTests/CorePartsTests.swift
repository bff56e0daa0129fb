import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@testable import PalettePeers
@testable import PaletteSync

/// The parts of a core, each alone.
struct CorePartsTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private let first = PeerConnectionID(rawValue: 1)
  private let second = PeerConnectionID(rawValue: 2)

  private func arrivals(_ count: Int, by node: UInt64) -> Arrivals {
    Arrivals(
      [
        ArrivedChanges(
          palette: Self.palette,
          changes: (1...UInt32(count)).map {
            ArrivedChange(bytes: [0], announcedAs: Dot(NodeID(node), $0), in: Self.palette)
          }
        )
      ]
    )
  }

  // MARK: Turns

  @Test func aTurnKnowsWhoSentWhatUntilItEnds() {
    let turns = MergeQueue(SyncLimits())
    turns.add(arrivals(1, by: 7), from: first, missing: 0, at: 0)
    turns.add(arrivals(1, by: 8), from: second, missing: 0, at: 0)
    #expect(turns.delayMilliseconds(at: 0) == 0)
    #expect(Set(turns.beginTurn(at: 0).map(\.session)) == [first, second])
    let sources = turns.sources(of: Self.palette)
    #expect(sources[Dot(NodeID(7), 1)] == first && sources[Dot(NodeID(8), 1)] == second)
    turns.endTurn()
    #expect(turns.sources(of: Self.palette).isEmpty)
    #expect(turns.delayMilliseconds(at: 0) == nil)
  }

  @Test(arguments: [true, false])
  func onlyMembersHaveSoManyChangesTakenASecond(isLimited: Bool) {
    // More than a turn takes, so that nothing waits to be gathered.
    let burst = MergeQueue.changesPerTurn + 1
    let limits = FairLimits(perSecond: 25_000, burst: Int64(burst))
    let turns = MergeQueue(SyncLimits(), ofChanges: limits)
    turns.add(arrivals(burst, by: 7), from: first, missing: 0, isLimited: isLimited, at: 0)
    #expect(turns.beginTurn(at: 0).count == 1)
    turns.endTurn()
    turns.add(arrivals(1, by: 7), from: first, missing: 0, isLimited: isLimited, at: 0)
    #expect(turns.delayMilliseconds(at: 0) == (isLimited ? 1 : 0))
  }

  @Test func littleIsTakenOfWhoIsHeldBack() {
    let turns = MergeQueue(SyncLimits())
    for number in 0..<40 as Range<UInt64> {
      turns.add(arrivals(100, by: 7 + number), from: first, missing: 0, at: 0)
    }
    turns.add(arrivals(3_000, by: 100), from: second, missing: 0, at: 0)
    // Those who are not are taken whole.
    let isFirst = { [first] in $0 == first }
    let taken = turns.beginTurn(at: 1_000, where: isFirst)
    #expect(taken.count { $0.session == second } == 1)
    #expect(taken.count { $0.session == first } <= 6)
    turns.endTurn()
    let rest = 40 - taken.count { $0.session == first }
    #expect(turns.delayMilliseconds(at: 2_000) == 0)
    #expect(turns.beginTurn(at: 2_000, where: isFirst).count == 6)
    turns.endTurn()
    #expect(turns.beginTurn(at: 3_000).count == rest - 6)
  }

  /// Of many palettes each is told of when it has come; what has come waits for the rest of them.
  @Test func aPaletteThatHasComeWholeWaitsForOthersThatArePromised() {
    let turns = MergeQueue(SyncLimits())
    turns.add(arrivals(20, by: 7), from: first, missing: 60, at: 0)
    turns.expect(60, from: first)
    #expect(turns.delayMilliseconds(at: 0).map { $0 > 0 } == true)
    turns.add(arrivals(20, by: 8), from: first, missing: 40, at: 1)
    turns.expect(40, from: first)
    #expect(turns.delayMilliseconds(at: 1) == 0)
    #expect(turns.beginTurn(at: 1).count == 2)
  }

  @Test func whoEndsHasNothingToDo() {
    let turns = MergeQueue(SyncLimits())
    turns.add(arrivals(1, by: 7), from: first, missing: 0, at: 0)
    turns.pushOn(first)
    turns.pushOn(second)
    turns.remove(first)
    #expect(turns.isPushing)
    #expect(turns.removePushing() == [second] && !turns.isPushing)
    #expect(turns.beginTurn(at: 0).isEmpty)
  }

  // MARK: Clocks

  private func peer(_ node: UInt64, of library: UInt64) -> SyncPeer {
    SyncPeer(
      node: NodeID(node),
      library: RecordID(high: 0, low: library),
      name: "",
      grants: [],
      hasToWait: false
    )
  }

  @Test func aLibraryHasOneVoteHoweverManyConnectionsItMakes() {
    let clocks = PeerClocks()
    for number in 1...3 as ClosedRange<UInt64> {
      clocks.add(PeerConnectionID(rawValue: number), of: peer(number, of: 9), isDialed: true)
      _ = clocks.read(900_000, at: 0, elapsed: 0, on: PeerConnectionID(rawValue: number))
    }
    for number in 4...5 as ClosedRange<UInt64> {
      clocks.add(PeerConnectionID(rawValue: number), of: peer(number, of: number), isDialed: true)
      _ = clocks.read(1_000, at: 0, elapsed: 0, on: PeerConnectionID(rawValue: number))
    }
    let agreed = clocks.correction(for: NodeID(100))
    #expect(agreed == 1_000)
    // Nothing was read since.
    let again = clocks.correction(for: NodeID(100))
    #expect(again == nil)
  }

  @Test func whoConnectedDoesNotMoveTheClockOfItsHub() {
    let clocks = PeerClocks()
    clocks.add(first, of: peer(1, of: 1), isDialed: false)
    let read = clocks.read(900_000, at: 0, elapsed: 0, on: first)
    #expect(read == 900_000)
    let alone = clocks.correction(for: NodeID(100))
    #expect(alone == nil)
    // Who has no vote is not read.
    let unknown = clocks.read(900_000, at: 0, elapsed: 0, on: second)
    #expect(unknown == nil)
  }

  // MARK: Reissues

  @Test func theEarliestCutOfAnIDCounts() {
    let reissues = Reissues(greetedNode: NodeID(1))
    for sequence in [5, 3, 4] as [UInt32] {
      reissues.add(Reissue.Cut(after: sequence, link: nil), of: NodeID(1), in: Self.palette)
    }
    reissues.add([Self.palette: Reissue(cuts: [:])])
    let waiting = reissues.removeAll()
    #expect(waiting[Self.palette]?.cuts[NodeID(1)]?.sequence == 3)
    #expect(reissues.removeAll().isEmpty)
  }

  @Test func nobodyHasChangesIssuedAgainAllTheTime() {
    let reissues = Reissues(greetedNode: NodeID(1))
    let hub = Payer.peer("https://hub")
    let admitted = (0..<20).filter { reissues.admits(hub, at: Int64($0) * 10_000) }
    #expect(admitted.count == 8)
    // What is found out at once counts once, and an hour later all is well again.
    let later: Int64 = 2 * 3_600_000
    #expect((0..<20).allSatisfy { _ in reissues.admits(hub, at: later) })
    var renamings = 0
    for time in 0..<5 as Range<Int64> where reissues.admitsRenaming(of: .library, at: time) {
      reissues.wasRenamed(.library, at: time)
      renamings += 1
    }
    #expect(renamings == 3 && reissues.renamingCount == 3)
  }

  @Test func noPeerHasIDsGivenUpAllTheTime() {
    let reissues = Reissues(greetedNode: NodeID(1))
    let hub = Payer.peer("https://hub")
    // Each counts, however fast they come, together with what is issued again.
    #expect(reissues.admits(hub, at: 0))
    let ids = (1...20).map { NodeID($0) }
    #expect(ids.count { reissues.admitsNewID(insteadOf: $0, from: hub, at: 1) } == 7)
    #expect(!reissues.admits(hub, at: 1_001))
    #expect(reissues.admitsNewID(insteadOf: NodeID(1), from: .member(1), at: 1))
    #expect(reissues.admitsNewID(insteadOf: NodeID(20), from: hub, at: 3_600_001))
  }

  /// A library that was put back to an older state is shown what it forgot in many parts, and by each
  /// machine of a member, before any of it is merged.
  @Test func anIDThatIsGivenUpOnceCountsOnce() {
    let reissues = Reissues(greetedNode: NodeID(1))
    let member = Payer.member(1)
    let shown = (0..<20).allSatisfy { _ in
      reissues.admitsNewID(insteadOf: NodeID(1), from: member, at: 1)
    }
    #expect(shown)
    let later = (2...20).map { NodeID($0) }
    #expect(later.count { reissues.admitsNewID(insteadOf: $0, from: member, at: 1) } == 7)
  }

  @Test func anIDThatCouldNotBeChangedDoesNotCount() {
    let reissues = Reissues(greetedNode: NodeID(1))
    #expect((0..<5).allSatisfy { reissues.admitsRenaming(of: .library, at: $0) })
    #expect(reissues.renamingCount == 0)
  }

  // MARK: Offering

  @Test func onlyPalettesWithNewChangesAreWritten() {
    let offering = Offering()
    offering.add(Self.palette)
    #expect(offering.palettes == nil)
    offering.removeAll()
    #expect(offering.palettes == [])
    offering.add(Self.palette)
    #expect(offering.palettes == [Self.palette])
    offering.forget()
    #expect(offering.palettes == nil)
  }
}
