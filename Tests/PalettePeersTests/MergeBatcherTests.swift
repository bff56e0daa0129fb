import PaletteModel
import PaletteSync
import Testing

@testable import PalettePeers

/// What waits for more of the same, and for how long.
struct MergeBatcherTests {
  private let link = LinkID(rawValue: 1)

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
    gathering.add(frame(1), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
    gathering.add(frame(2), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) > 0)
    #expect(gathering.delayMilliseconds(of: LinkID(rawValue: 2), at: 0) == 0)
    gathering.add(frame(1), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
  }

  @Test func onlyALongBatchLetsOthersGoFirstAndNotForLong() {
    let many = MergeBatcher.longCount
    var gathering = MergeBatcher(changeLimit: 2 * many, byteLimit: 1_000_000)
    #expect(!gathering.canWait(link, at: 0))
    gathering.add(frame(many - 1), from: link, missing: 2 * many, at: 0)
    #expect(!gathering.canWait(link, at: 0))
    gathering.add(frame(many + 1), from: link, missing: 2 * many, at: 1)
    // It is whole, and waits for nothing but those.
    #expect(gathering.delayMilliseconds(of: link, at: 1) == 0)
    #expect(gathering.canWait(link, at: 1))
    let end = MergeBatcher.promisedMilliseconds
    #expect(gathering.canWait(link, at: end - 1))
    #expect(!gathering.canWait(link, at: end))
    // Neither does a clock that went back make it wait for ever.
    #expect(!gathering.canWait(link, at: -end))
    gathering.remove(link)
    #expect(!gathering.canWait(link, at: 1))
  }

  @Test(arguments: [(100, 10), (50, 21)])
  func enoughIsMergedAtOnce(count: Int, bytes: Int) {
    var gathering = MergeBatcher(changeLimit: 100, byteLimit: 1_000)
    gathering.add(frame(count / 2, bytes: bytes), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) > 0)
    gathering.add(frame(count / 2, bytes: bytes), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
    // What is left begins to wait when the rest is taken.
    gathering.remove(frame(count / 2, bytes: bytes), from: link, at: 3)
    #expect(
      gathering.delayMilliseconds(of: link, at: 3) == MergeBatcher.quietMilliseconds - 3
    )
    gathering.remove(frame(count / 2, bytes: bytes), from: link, at: 3)
    #expect(gathering.delayMilliseconds(of: link, at: 3) == 0)
  }

  @Test func waitsForTheNextFrameButNotForEver() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(2), from: link, at: 100)
    #expect(
      gathering.delayMilliseconds(of: link, at: 102) == MergeBatcher.quietMilliseconds - 2
    )
    for time in stride(from: Int64(102), to: 140, by: 2) {
      gathering.add(frame(2), from: link, at: time)
    }
    #expect(gathering.delayMilliseconds(of: link, at: 140) > 0)
    var promised = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    promised.add(frame(2), from: link, missing: 3, at: 100)
    #expect(
      promised.delayMilliseconds(of: link, at: 102) == MergeBatcher.promisedMilliseconds - 2
    )
    let end = 100 + MergeBatcher.longestMilliseconds
    gathering.add(frame(2), from: link, at: end)
    #expect(gathering.delayMilliseconds(of: link, at: end) == 0)
    // A clock that goes back releases what waits.
    var other = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    other.add(frame(2), from: link, at: 100)
    #expect(other.delayMilliseconds(of: link, at: 0) == 0)
  }

  @Test func whatIsCompleteWaitsForNothing() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(10), from: link, missing: 30, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) > 0)
    gathering.add(frame(20), from: link, missing: 30, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
  }

  @Test(arguments: [(130, true), (151, false), (200, false)])
  func aSmallRestIsTakenAlong(missing: Int, waits: Bool) {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000)
    gathering.add(frame(100, bytes: 10), from: link, missing: missing, at: 0)
    #expect((gathering.delayMilliseconds(of: link, at: 0) > 0) == waits)
  }

  @Test func theEndOfAPushReleasesIt() {
    var gathering = MergeBatcher(changeLimit: 1_000, byteLimit: 1_000_000)
    gathering.add(frame(2), from: link, at: 0)
    gathering.end(of: link)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
    gathering.add(frame(2), from: link, at: 0)
    #expect(gathering.delayMilliseconds(of: link, at: 0) > 0)
    gathering.remove(link)
    #expect(gathering.delayMilliseconds(of: link, at: 0) == 0)
  }
}
