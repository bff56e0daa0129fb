import PaletteMerge
import PaletteModel
import PaletteSync
import Testing

@testable import PalettePeers

/// What waits for more of the same, and for how long.
struct MergeBatcherTests {
  private let connection = PeerConnectionID(rawValue: 1)

  private func frame(_ count: Int, bytes: Int = 10) -> Arrivals {
    let change = ArrivedChange(
      bytes: [UInt8](repeating: 0, count: bytes),
      announcedAs: Dot(NodeID(1), 1),
      in: PaletteID(RecordID(high: 1, low: 1))
    )
    return Arrivals(
      [
        ArrivedChanges(
          palette: PaletteID(RecordID(high: 1, low: 1)),
          changes: [ArrivedChange](repeating: change, count: count)
        )
      ]
    )
  }

  @Test func aLiveChangeWaitsForNothing() {
    var gathering = MergeBatcher(changeLimit: 100, byteLimit: 1_000)
    gathering.add(frame(1), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
    gathering.add(frame(2), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) > 0)
    #expect(gathering.delayMilliseconds(of: PeerConnectionID(rawValue: 2), at: 0) == 0)
    gathering.add(frame(1), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
  }

  @Test func onlyALongBatchLetsOthersGoFirstAndNotForLong() {
    let many = MergeBatcher.longCount
    var gathering = MergeBatcher(changeLimit: 2 * many, byteLimit: 1_000_000)
    #expect(!gathering.canWait(connection, at: 0))
    gathering.add(frame(many - 1), from: connection, missing: 2 * many, at: 0)
    #expect(!gathering.canWait(connection, at: 0))
    gathering.add(frame(many + 1), from: connection, missing: 2 * many, at: 1)
    // It is whole, and waits for nothing but those.
    #expect(gathering.delayMilliseconds(of: connection, at: 1) == 0)
    #expect(gathering.canWait(connection, at: 1))
    let end = MergeBatcher.promisedMilliseconds
    #expect(gathering.canWait(connection, at: end - 1))
    #expect(!gathering.canWait(connection, at: end))
    // Neither does a clock that went back make it wait for ever.
    #expect(!gathering.canWait(connection, at: -end))
    gathering.remove(connection)
    #expect(!gathering.canWait(connection, at: 1))
  }

  @Test(arguments: [(100, 10), (50, 21)])
  func enoughIsMergedAtOnce(count: Int, bytes: Int) {
    var gathering = MergeBatcher(changeLimit: 100, byteLimit: 1_000)
    gathering.add(frame(count / 2, bytes: bytes), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) > 0)
    gathering.add(frame(count / 2, bytes: bytes), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
    // What is left begins to wait when the rest is taken.
    gathering.remove(frame(count / 2, bytes: bytes), from: connection, at: 3)
    #expect(
      gathering.delayMilliseconds(of: connection, at: 3) == MergeBatcher.quietMilliseconds - 3
    )
    gathering.remove(frame(count / 2, bytes: bytes), from: connection, at: 3)
    #expect(gathering.delayMilliseconds(of: connection, at: 3) == 0)
  }

  @Test func waitsForTheNextFrameButNotForEver() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(2), from: connection, at: 100)
    #expect(
      gathering.delayMilliseconds(of: connection, at: 102) == MergeBatcher.quietMilliseconds - 2
    )
    for time in stride(from: Int64(102), to: 140, by: 2) {
      gathering.add(frame(2), from: connection, at: time)
    }
    #expect(gathering.delayMilliseconds(of: connection, at: 140) > 0)
    var promised = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    promised.add(frame(2), from: connection, missing: 3, at: 100)
    #expect(
      promised.delayMilliseconds(of: connection, at: 102) == MergeBatcher.promisedMilliseconds - 2
    )
    let end = 100 + MergeBatcher.longestMilliseconds
    gathering.add(frame(2), from: connection, at: end)
    #expect(gathering.delayMilliseconds(of: connection, at: end) == 0)
    // A clock that goes back releases what waits.
    var other = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    other.add(frame(2), from: connection, at: 100)
    #expect(other.delayMilliseconds(of: connection, at: 0) == 0)
  }

  @Test func whatIsCompleteWaitsForNothing() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(10), from: connection, missing: 30, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) > 0)
    gathering.add(frame(20), from: connection, missing: 30, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
  }

  @Test(arguments: [(130, true), (151, false), (200, false)])
  func aSmallRestIsTakenAlong(missing: Int, waits: Bool) {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000)
    gathering.add(frame(100, bytes: 10), from: connection, missing: missing, at: 0)
    #expect((gathering.delayMilliseconds(of: connection, at: 0) > 0) == waits)
  }

  @Test func theEndOfAPushReleasesIt() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(2), from: connection, at: 0)
    gathering.end(of: connection)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
    gathering.add(frame(2), from: connection, at: 0)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) > 0)
    gathering.remove(connection)
    #expect(gathering.delayMilliseconds(of: connection, at: 0) == 0)
  }
}
