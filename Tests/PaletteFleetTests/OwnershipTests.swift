import PaletteFleet
import Testing

struct OwnershipTests {
  private static let studio = library(1)
  private static let state = LogState(epoch: 4, schema: 1, head: 7, hash: hash(7), image: nil)
  private static let mine = LogClaim(studio, hub: HubID(1), epoch: 4)

  private static func row(owner: LogHub? = nil, wanted: HubID? = nil) -> SharedLibrary {
    var before = state
    before.epoch = 3
    return SharedLibrary(
      id: studio,
      name: "studio",
      owner: owner?.id,
      wanted: wanted,
      bytes: 0,
      state: before,
      hub: owner
    )
  }

  private static func answer(
    _ owned: BeatAnswer.Owned? = BeatAnswer.Owned(epoch: 4, wanted: nil),
    others: [HubID: Int64] = [:]
  ) -> BeatAnswer {
    BeatAnswer(
      beat: 1,
      owned: owned.map { [studio: $0] } ?? [:],
      beats: others.merging([HubID(1): 1]) { $1 }
    )
  }

  /// A hub that took the library at 0.
  private static func owner() -> Ownership {
    var hub = Ownership(HubID(1))
    _ = hub.handle(.beat(answer(nil), sent: 0), at: 0)
    #expect(hub.handle(.asked(row()), at: 0) == [.take(row(), .free)])
    #expect(hub.handle(.took(studio, state), at: 0) == [.open(mine, state)])
    return hub
  }

  @Test func theLeaseRunsFromTheSendingOfTheBeat() {
    var hub = Self.owner()
    #expect(hub.handle(.beat(Self.answer(), sent: 1), at: 3) == [])
    #expect(hub.mayAnswer(Self.studio, at: 5.9))
    #expect(!hub.mayAnswer(Self.studio, at: 6))
    #expect(hub.claim(Self.studio, at: 6) == nil)
    #expect(hub.handle(.tick, at: 6) == [.suspend])
    #expect(hub.handle(.tick, at: 7) == [])
    #expect(hub.handle(.beat(Self.answer(), sent: 8), at: 8) == [])
    #expect(hub.claim(Self.studio, at: 9) == Self.mine)
  }

  @Test func aLoopThatIsBusyDoesNotLoseTheLease() {
    var hub = Self.owner()
    _ = hub.handle(.beat(Self.answer(), sent: 1), at: 1)
    hub.renewLease(sent: 5, at: 7)
    #expect(hub.handle(.tick, at: 7) == [])
    // One that was sent earlier takes nothing away.
    hub.renewLease(sent: 2, at: 8)
    #expect(hub.mayAnswer(Self.studio, at: 9.9) && !hub.mayAnswer(Self.studio, at: 10))
    // The dead have none.
    _ = hub.handle(.beat(nil, sent: 9), at: 9)
    hub.renewLease(sent: 9, at: 9)
    #expect(!hub.mayAnswer(Self.studio, at: 9))
  }

  @Test func aHubThatOwnsNothingIsDeadAfterAMinuteWithoutABeat() {
    var hub = Self.owner()
    for second in 1...90 {
      let time = Double(second)
      let others = [HubID(2): Int64(5), HubID(3): Int64(second)]
      let actions = hub.handle(.beat(Self.answer(others: others), sent: time), at: time)
      #expect(actions == (second > 60 ? [.bury(HubID(2), beat: 5)] : []), "\(second)")
    }
  }

  @Test func aCommandGetsALibraryAtOnce() {
    var hub = Self.owner()
    let command = HubID(-2)
    let wanted = BeatAnswer.Owned(epoch: 4, wanted: command)
    #expect(
      hub.handle(.beat(Self.answer(wanted), sent: 1), at: 1) == [],
      "nobody of that name lives"
    )
    let answer = Self.answer(wanted, others: [command: 1])
    #expect(hub.handle(.beat(answer, sent: 2), at: 2) == [.letGo(Self.mine)])
    #expect(hub.handle(.left(Self.studio), at: 2) == [])
    // Its people are back before the command has looked again.
    let left = Self.row(wanted: command)
    #expect(hub.handle(.asked(left), at: 2) == [.later(Self.studio)])
    // The command was killed.
    var killed = hub
    for time in [3.0, 5, 7, 9] {
      #expect(killed.handle(.asked(left), at: time) == [.later(Self.studio)])
      _ = killed.handle(.beat(Self.answer(nil, others: [command: 1]), sent: time), at: time)
    }
    #expect(killed.handle(.asked(left), at: 9) == [.take(left, .free)])
    // It has failed.
    _ = hub.handle(.beat(Self.answer(nil), sent: 3), at: 3)
    #expect(hub.handle(.asked(left), at: 3) == [.take(left, .free)])
  }

  @Test func aHubThatAsksFirstGetsWhatAnotherHubWanted() {
    var hub = Self.owner()
    _ = hub.handle(.idle(Self.studio), at: 1)
    _ = hub.handle(.left(Self.studio), at: 1)
    _ = hub.handle(.beat(Self.answer(nil, others: [HubID(2): 1]), sent: 2), at: 2)
    // The other one's people may have gone meanwhile.
    let left = Self.row(wanted: HubID(2))
    #expect(hub.handle(.asked(left), at: 2) == [.take(left, .free)])
  }

  @Test func aBeatClosesWhatIsMissingOrHasAnotherEpoch() {
    var hub = Self.owner()
    #expect(hub.handle(.beat(Self.answer(nil), sent: -1), at: 1) == [])
    #expect(hub.handle(.beat(Self.answer(nil), sent: 1), at: 1) == [.close(Self.studio)])
    hub = Self.owner()
    let other = Self.answer(BeatAnswer.Owned(epoch: 5, wanted: nil))
    let row = LogClaim(Self.studio, hub: HubID(1), epoch: 5)
    let closed = hub.handle(.beat(other, sent: 1), at: 1)
    #expect(closed == [.close(Self.studio), .letGo(row)])
    let named = hub.handle(.beat(Self.answer(), sent: 2), at: 2)
    #expect(named == [.letGo(Self.mine)])
  }

  @Test func theDeadCloseEverythingAndNeverAnswer() {
    var hub = Self.owner()
    #expect(hub.handle(.beat(nil, sent: 1), at: 1) == [.close(Self.studio), .startAgain])
    #expect(!hub.mayAnswer(Self.studio, at: 1) && !hub.hasLease(at: 1))
    #expect(hub.handle(.asked(Self.row()), at: 1) == [.refuse(Self.studio)])
    #expect(hub.handle(.beat(Self.answer(), sent: 2), at: 2) == [])
  }

  @Test func aWantedLibraryIsHeldLongerEachTime() {
    var hub = Self.owner()
    let wanted = Self.answer(BeatAnswer.Owned(epoch: 4, wanted: HubID(2)), others: [HubID(2): 1])
    let byDead = Self.answer(BeatAnswer.Owned(epoch: 4, wanted: HubID(2)))
    #expect(hub.handle(.beat(wanted, sent: 9), at: 9) == [])
    _ = hub.handle(.reached(Self.studio), at: 9)
    #expect(hub.handle(.beat(wanted, sent: 10), at: 10) == [])
    #expect(hub.handle(.beat(byDead, sent: 11), at: 11) == [])
    #expect(hub.handle(.beat(wanted, sent: 12), at: 12) == [.letGo(Self.mine)])
    #expect(!hub.mayAnswer(Self.studio, at: 12))
    #expect(hub.handle(.left(Self.studio), at: 12) == [])
    #expect(hub.handle(.asked(Self.row()), at: 12) == [.take(Self.row(), .free)])
    _ = hub.handle(.took(Self.studio, Self.state), at: 12)
    #expect(hub.handle(.beat(wanted, sent: 31), at: 31) == [])
    #expect(hub.handle(.beat(wanted, sent: 32), at: 32) == [.letGo(Self.mine)])
  }

  @Test func aHubIsDeadWhenItsBeatStoodStillWhileOnesOwnWereAnswered() {
    var hub = Ownership(HubID(1))
    var other = hub2(beat: 5)
    let still = Self.answer(nil, others: [HubID(2): 5])
    for time in [0.0, 2, 4] { _ = hub.handle(.beat(still, sent: time), at: time + 0.5) }
    let row = Self.row(owner: other)
    #expect(hub.handle(.asked(row), at: 4.5) == [.want(row)])
    // From the first answer, at 0.5, to the last question.
    _ = hub.handle(.beat(still, sent: 6), at: 6.5)
    #expect(hub.handle(.asked(row), at: 6.5) == [.want(row)])
    _ = hub.handle(.beat(still, sent: 7), at: 7.5)
    let reason = LogTaking.stoodStill(HubID(2), beat: 5)
    var taking = hub
    #expect(taking.handle(.asked(row), at: 7.5) == [.take(row, reason)])
    other.beat = 6
    let later = Self.row(owner: other)
    #expect(hub.handle(.asked(later), at: 7.5) == [.want(later)])
    // Own beats that were not answered prove nothing.
    _ = hub.handle(.beat(still, sent: 17), at: 17)
    #expect(hub.handle(.asked(row), at: 17) == [.want(row)])
  }

  @Test func aDoubtEndsByAWriteOrGoesOn() {
    var hub = Self.owner()
    #expect(hub.handle(.doubted(Self.studio), at: 1) == [.endDoubt(Self.mine)])
    #expect(hub.claim(Self.studio, at: 1) == nil)
    #expect(hub.handle(.doubtRemains(Self.studio), at: 2) == [])
    let later = Self.answer(BeatAnswer.Owned(epoch: 5, wanted: nil))
    let claim = LogClaim(Self.studio, hub: HubID(1), epoch: 5)
    #expect(hub.handle(.beat(later, sent: 3), at: 3) == [.endDoubt(claim)])
    var ended = Self.state
    ended.epoch = 6
    let now = LogClaim(Self.studio, hub: HubID(1), epoch: 6)
    #expect(hub.handle(.doubtEnded(Self.studio, ended), at: 3) == [.reopen(now, ended)])
    #expect(hub.claim(Self.studio, at: 3) == now)
    #expect(hub.handle(.doubted(Self.studio), at: 4) == [.endDoubt(now)])
    #expect(hub.handle(.doubtEnded(Self.studio, nil), at: 4) == [.close(Self.studio)])
  }

  @Test func aDrainingHubLetsGoAndTakesNothing() {
    var hub = Self.owner()
    #expect(hub.handle(.drain, at: 1) == [.letGo(Self.mine)])
    _ = hub.handle(.left(Self.studio), at: 1)
    #expect(hub.handle(.asked(Self.row()), at: 1) == [.refuse(Self.studio)])
    #expect(hub.count == 0)
  }

  private func hub2(beat: Int64) -> LogHub {
    var other = hub(2)
    other.beat = beat
    return other
  }
}
