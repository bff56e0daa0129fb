import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// The newest part of a history against the whole one, with clocks that also go back.
struct NewestHistoryTests {
  @Test(arguments: TestSeeds.some(of: 5))
  func isTheBeginningOfTheWhole(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let palette = PaletteID(RecordID(high: 1, low: 1))
    let color = RecordID(high: 1, low: 2)
    let clock = ManualClock()
    let folders = [try TemporaryLibrary(), try TemporaryLibrary()]
    let stores = try folders.map {
      try ChangeStore(writing: $0.folder, milliseconds: { clock.milliseconds })
    }
    for number in 0..<300 {
      clock.milliseconds += Int64.random(in: -900..<1_000, using: &random)
      try stores[number % 2].write { transaction throws(StoreError) in
        let writer = try transaction.palette(beginning: palette)
        try writer.act([.set(color, [.name: RegisterValue(text: "n\(number)")])])
      }
    }
    let theirs = try #require(try stores[1].changes(of: palette))
    try stores[0].merge(theirs, into: palette)
    let whole = try stores[0].history(of: palette)
    #expect(whole.count == 300)
    #expect(whole == whole.sorted { ($0.stamp, $0.dot) > ($1.stamp, $1.dot) })
    for limit in [0, 1, 5, 40, 299, 300, 1_000] {
      let newest = try stores[0].history(of: palette, limit: limit)
      #expect(newest == Array(whole.prefix(limit)), "replay with seed \(seed), limit \(limit)")
    }
  }
}
