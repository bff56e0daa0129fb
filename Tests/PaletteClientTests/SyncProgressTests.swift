import Testing

@testable import PaletteClient

struct SyncProgressTests {
  @Test func progressNeverGoesBack() {
    var progress = SyncProgress()
    var seen: [Int] = []
    for left in [100, 60, 80, 20, 0] {
      progress.update(left: left)
      seen.append(progress.done)
    }
    #expect(seen == [0, 40, 40, 100, 120])
    #expect(progress.total == 120)
  }
}
