import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// How old a change is goes by the time at which it came here, as far as the clock can be believed.
struct CompactionHorizonTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let day: Int64 = 86_400_000
  private let folder: TemporaryLibrary
  private let clock = ManualClock()
  private let store: ChangeStore

  init() throws {
    let clock = clock
    folder = try TemporaryLibrary()
    store = try ChangeStore(writing: folder.folder, milliseconds: { clock.milliseconds })
    try name("sea")
  }

  /// Names the palette, which is a change that the next name makes needless.
  private func name(_ names: String...) throws {
    for name in names {
      clock.milliseconds += 1_000
      let (record, value) = (Self.palette.record, RegisterValue(text: name))
      try store.write { transaction throws(StoreError) in
        let palette = try transaction.palette(beginning: Self.palette)
        let isNew = try palette.state(of: record).values.isEmpty
        _ = try palette.act([isNew ? .add(record, [.name: value]) : .set(record, [.name: value])])
      }
    }
  }

  private func compact(olderThanDays days: Int64) throws -> Int {
    let horizon = clock.milliseconds - days * Self.day
    return try store.compact(Self.palette, beforeMilliseconds: horizon).removed
  }

  @Test func whatIsOlderThanTheHorizonGoes() throws {
    try name("lake", "pond")
    clock.milliseconds += 40 * Self.day
    #expect(try compact(olderThanDays: 50) == 0)
    #expect(try compact(olderThanDays: 30) == 2)
  }

  @Test func whatCameWhileTheClockRanAheadIsNotAsOldAsWhatCameBefore() throws {
    clock.milliseconds += 40 * Self.day
    let now = clock.milliseconds
    clock.milliseconds += 365 * Self.day
    try name("lake", "pond")
    clock.milliseconds = now
    #expect(try compact(olderThanDays: 30) == 0)
    // Nor does it stay for a year: it is older than what comes next.
    try name("puddle")
    clock.milliseconds += 40 * Self.day
    #expect(try compact(olderThanDays: 50) == 0)
    #expect(try compact(olderThanDays: 30) == 3)
  }

  @Test func whatCameWhileTheClockWasBehindIsNotOld() throws {
    clock.milliseconds += 40 * Self.day
    try name("lake")
    clock.milliseconds -= 39 * Self.day
    try name("pond", "puddle")
    clock.milliseconds += 39 * Self.day
    #expect(try compact(olderThanDays: 30) == 0)
    clock.milliseconds += 40 * Self.day
    #expect(try compact(olderThanDays: 30) == 3)
  }
}
