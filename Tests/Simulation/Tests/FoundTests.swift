import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PaletteSimulation

/// What the simulation found once, in as few steps as it takes.
struct FoundTests {
  private func expectPassing(_ script: Script) {
    let violation = script.run().violation
    #expect(violation == nil, "\(violation.map { "\($0)" } ?? "")\n\(script)")
  }

  private func steps(_ events: [(Int64, Script.Event)]) -> [Script.Step] {
    events.enumerated().map { Script.Step($0.offset + 1, at: $0.element.0, $0.element.1) }
  }

  @Test func anEditorThatCompactsStillSendsWhatItDidOffline() {
    expectPassing(
      Script(
        key: 1,
        machines: 2,
        edges: [Script.Edge(1, 0, role: .editor)],
        steps: steps([
          (600, .edit(0, palette: 0, .new)),
          (600, .edit(0, palette: 0, .add(first: 1, count: 1, at: nil))),
          (2_400, .fault(.restart(0, backAfterMilliseconds: 6_000))),
          (3_200, .edit(1, palette: 0, .remove([1]))),
          (5_500, .edit(1, palette: 0, .compact(olderThan: 0))),
        ])
      )
    )
  }

  @Test func anEditorsNewPaletteMayBeLongerThanTheCredit() {
    var events: [(Int64, Script.Event)] = []
    for palette in 0..<8 {
      let add = UserEdit.add(first: palette * 9, count: 9, at: nil)
      events.append((600, .edit(1, palette: palette, .new)))
      events.append((700, .edit(1, palette: palette, add)))
    }
    expectPassing(
      Script(
        key: 1,
        machines: 2,
        edges: [Script.Edge(1, 0, role: .editor, at: 5_000)],
        limits: SyncLimits(payloadBytes: 900, creditBytes: 700),
        steps: steps(events)
      )
    )
  }

  @Test func whoeverWasSentAwayComesAgainThroughAHubThatJoins() {
    expectPassing(
      Script(
        key: 1,
        machines: 4,
        edges: [Script.Edge(1, 0), Script.Edge(2, 1), Script.Edge(3, 2)],
        steps: steps([
          (800, .edit(0, palette: 0, .new)),
          (6_000, .fault(.revoke(hub: 2, dialer: 3))),
          (7_000, .edit(3, palette: 0, .add(first: 1, count: 1, at: nil))),
          (20_000, .fault(.move(1, from: 0, to: 3))),
        ])
      )
    )
  }

  @Test func whatACloneLearnsOfItsOwnPastIsNotPending() {
    expectPassing(
      Script(
        key: 38,
        machines: 3,
        edges: [Script.Edge(1, 0), Script.Edge(2, 1)],
        steps: steps([
          (300, .edit(0, palette: 0, .new)),
          (300, .edit(0, palette: 0, .add(first: 1, count: 1, at: nil))),
          (60_000, .fault(.clone(2, as: 3))),
          (150_000, .edit(2, palette: 0, .note(1, 1))),
        ])
      )
    )
  }

  @Test func aPaletteThatWasEqualFromTheBeginningIsNotPending() {
    expectPassing(
      Script(
        key: 145,
        machines: 2,
        edges: [Script.Edge(1, 0)],
        steps: steps([
          (300, .edit(0, palette: 0, .new)),
          (900, .edit(1, palette: 1, .new)),
          (5_500, .edit(0, palette: 1, .add(first: 2, count: 1, at: nil))),
          (66_000, .fault(.clone(0, as: 2))),
          (66_400, .edit(2, palette: 0, .add(first: 11, count: 1, at: nil))),
        ])
      )
    )
  }

  @Test(arguments: 0..<12)
  func aDiskThatFailsForAWhileStopsNobodyForEver(skipping: Int) {
    expectPassing(
      Script(
        key: 39,
        machines: 3,
        edges: [Script.Edge(1, 0), Script.Edge(2, 1)],
        steps: steps([
          (200, .edit(0, palette: 0, .new)),
          (5_000, .edit(2, palette: 0, .add(first: 5, count: 1, at: nil))),
          (9_000, .fault(.diskFailure(1, .write, afterOperations: skipping, count: 3))),
          (9_500, .edit(0, palette: 0, .remove([5]))),
          (12_000, .fault(.cut(0, 1, laterMilliseconds: 5))),
        ])
      )
    )
  }

  @Test func whatPeersSaidIsNotForgottenWithACommitThatFails() {
    expectPassing(
      Script(
        key: 1316,
        machines: 2,
        edges: [Script.Edge(1, 0, role: .editor)],
        steps: steps([
          (575, .edit(0, palette: 0, .new)),
          (575, .edit(0, palette: 0, .add(first: 1, count: 1, at: nil))),
          (17_524, .edit(1, palette: 0, .recolor(1, 6))),
          (18_000, .fault(.diskFailure(1, .full, afterOperations: 0, count: 3))),
          (18_010, .edit(1, palette: 0, .move(1, to: 4))),
        ])
      )
    )
  }

  @Test func aCloneThatRemovesTheSameColorIsCountedOnItsOwn() {
    expectPassing(
      Script(
        key: 1294,
        machines: 4,
        edges: [Script.Edge(1, 0), Script.Edge(2, 1), Script.Edge(3, 2)],
        steps: steps([
          (782, .edit(0, palette: 0, .new)),
          (4_456, .edit(3, palette: 0, .add(first: 7, count: 1, at: nil))),
          (4_495, .fault(.clone(1, as: 6))),
          (4_871, .fault(.powerLoss(0, backAfterMilliseconds: 13_009))),
          (4_916, .fault(.clockJump(0, milliseconds: -3_600_000))),
          (5_265, .edit(1, palette: 0, .remove([7]))),
          (5_723, .edit(6, palette: 0, .remove([7]))),
        ])
      )
    )
  }

  /// Whole lives that ended badly once: with changes compacted before they left; with an error of the
  /// disk amid healing or a correction of the clock; with a peer never caught up, as what it had came
  /// from another; with a snapshot taken for newer than what was acknowledged while it came; with an
  /// edit that a session took for one that the peer has; with a hub that knew an id from others.
  @Test(
    arguments: TestSeeds.some(of: [
      234, 298, 401, 1238, 1294, 1316, 1849, 1878, 1902, 1933, 2199, 4531, 6735, 7083, 10063, 11161,
      11832, 13279, 15858, 15864, 20092,
    ])
  )
  func aLifeThatEndedBadlyOnce(seed: UInt64) {
    expectPassing(Script(seed: seed))
  }

  /// The second undo finds the addition removed by somebody else, and changes nothing; what is redone
  /// then is that addition, and not the rename that was undone before it.
  @Test func anUndoThatChangesNothingTakesItsTurn() throws {
    let life = Script(seed: 930_545)
    expectPassing(try #require(life.keeping(steps: "1-2,8,10,27,79,82,88", without: "C")))
  }

  /// A program reads a file that is about to be replaced, and saves it before that is done; a machine gets
  /// the file of another one with lines that look alike, and says the same already; a program saves what it
  /// read five versions ago, goes back to what was written once, or saves while the power goes.
  @Test(
    arguments: [
      (62_025, "1,4,28,41,165-166,168", "RST"),
      (60_124, "1-2,23,134,140-141,175,220,237,245", "D"),
      (253, "3-4,75,82,112,133,176,259,263,269,292,294", ""),
      (
        1_797_100_105,
        "1-3,5-6,21-25,39,123,144-145,149,200,225,229,232-233,235,259,271,273,275,278,304,314-318,321",
        ""
      ),
      (1_797_100_249, "3-5,75,94,98,229,244,246,248,253,255,262", "DE"),
      (1_797_200_486, "3-4,43,109-110,115", "C"),
      (1_797_200_582, "1,5,42,95,127,135,152-153,158,169,190,221-223,227", "B"),
    ] as [(UInt64, String, String)]
  )
  func aPartOfALifeWithFilesThatEndedBadlyOnce(
    seed: UInt64,
    steps: String,
    absent: String
  ) throws {
    let life = Script(seed: seed, linksFiles: true)
    expectPassing(try #require(life.keeping(steps: steps, without: absent)))
  }

  /// A color is deleted, brought back and deleted again, and all of it is issued again: each deletion
  /// stands for its own.
  @Test func twoDeletionsThatLookAlikeAreTwo() throws {
    let life = Script(seed: 710_008, linksFiles: true)
    let steps = "1,3,31,77,85,99,103,117,134-135,138,147,151,158"
    expectPassing(try #require(life.keeping(steps: steps, without: "C")))
  }

  /// A library is put back to an older state, and two machines of one member show it what it forgot, in
  /// many parts: nobody is cut off for that.
  @Test func aMemberMayShowWhatALibraryForgotInManyParts() throws {
    let life = Script(seed: 1_796_800_125)
    let steps =
      "1-5,9-10,21,23,29-30,32,37,46,53,63,65-67,69,80-82,89,92,95,106-108,111,113-114,131-133,"
      + "142,168,186,188"
    expectPassing(try #require(life.keeping(steps: steps, without: "")))
  }

  /// A clock jumps, and what left before is issued again with another time: at the time before, a delete hides
  /// only what has its own time.
  @Test func aChangeOfTwoTimesHidesEachAtItsOwn() throws {
    let life = Script(seed: 1_797_001_119)
    expectPassing(try #require(life.keeping(steps: "39-40,86,111,145,169", without: "C")))
  }

  /// A member is sent away, and comes to a copy of that library; a liar is sent away by a machine that went
  /// back to a backup, while others have more of the liar.
  @Test(
    arguments: [
      (1_797_400_799, "53,68,80,200", "B"), (1_797_400_964, "35,39,42,48,58,82", ""),
    ] as [(UInt64, String, String)]
  )
  func whoIsSentAwayIsKnownAsWhoItWas(seed: UInt64, steps: String, absent: String) throws {
    expectPassing(try #require(Script(seed: seed).keeping(steps: steps, without: absent)))
  }

  /// A liar hears of an editor's id before its first change, claims it at an editor of the next hub, and goes
  /// on in its name.
  @Test func anIDThatWasHeardEarlyIsNobodyElses() throws {
    let life = Script(seed: 50_532)
    expectPassing(try #require(life.keeping(steps: "1,38,60,67,152", without: "E")))
  }

  /// Lives with linked files that ended badly once: with an edit of a file that was cut, or half written
  /// when the node began; compared with what its program had not read; in conflict with itself.
  @Test(arguments: TestSeeds.some(of: [19, 31, 37, 51, 52, 62, 90, 96, 115, 118, 148]))
  func aLifeWithFilesThatEndedBadlyOnce(seed: UInt64) {
    expectPassing(Script(seed: seed, linksFiles: true))
  }
}
