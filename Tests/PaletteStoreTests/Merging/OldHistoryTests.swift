import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Rows below the floors that come from elsewhere.
struct OldHistoryTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private let folders: [TemporaryLibrary]
  private let clock = ManualClock()
  private let full: ChangeStore
  private let fresh: ChangeStore
  private let sea = RecordID(high: 1, low: 2)

  init() throws {
    let clock = clock
    folders = [try TemporaryLibrary(), try TemporaryLibrary(), try TemporaryLibrary()]
    full = try ChangeStore(writing: folders[0].folder, milliseconds: { clock.milliseconds })
    fresh = try ChangeStore(writing: folders[1].folder, milliseconds: { clock.milliseconds })
    try act(.add(Self.palette.record, [.name: RegisterValue(text: "P")]))
    try act(
      .add(
        sea,
        [
          .name: RegisterValue(text: "n0"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [128]),
        ]
      )
    )
    for number in 1..<40 { try act(.set(sea, [.name: RegisterValue(text: "n\(number)")])) }
    let snapshot = try #require(try full.snapshot(of: Self.palette))
    #expect(try fresh.merge(snapshot, into: Self.palette).refusal == nil)
  }

  private func act(_ edit: Edit) throws {
    clock.milliseconds += 1_000
    try full.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: Self.palette).act([edit])
    }
  }

  /// What `full` has of the rows that `fresh` lacks.
  private func parts(byteLimit: Int = .max / 2) throws -> [NodeID: HistoryPart] {
    var parts: [NodeID: HistoryPart] = [:]
    for (node, floor) in try fresh.floors(of: Self.palette) {
      var next: UInt32 = 1
      while next <= floor {
        let part = try full.oldHistory(
          of: Self.palette,
          by: node,
          next...floor,
          byteLimit: byteLimit
        )
        var whole = parts[node] ?? HistoryPart(last: 0, sinceMilliseconds: nil, changes: [])
        whole.changes += part.changes
        whole.sinceMilliseconds = part.sinceMilliseconds
        parts[node] = whole
        next = part.last + 1
      }
    }
    return parts
  }

  @Test(arguments: [200, 1_000_000])
  func theyChangeNoStateAndMakeThePastKnown(byteLimit: Int) throws {
    let digest = try fresh.digest()
    let frontier = try fresh.frontier(of: Self.palette)
    #expect(try fresh.historySince(of: Self.palette) != nil)
    #expect(try fresh.history(of: Self.palette).count < 41)
    #expect(try fresh.mergeOldHistory(try parts(byteLimit: byteLimit), into: Self.palette) == nil)
    #expect(try fresh.digest() == digest)
    #expect(try fresh.frontier(of: Self.palette) == frontier)
    #expect(try fresh.historySince(of: Self.palette) == nil)
    #expect(try fresh.floors(of: Self.palette).isEmpty)
    #expect(try fresh.history(of: Self.palette) == full.history(of: Self.palette))
    let past = clock.milliseconds - 10_000
    guard case .known(let state) = try fresh.state(of: Self.palette, atMilliseconds: past),
      case .known(let other) = try full.state(of: Self.palette, atMilliseconds: past)
    else {
      Issue.record("the past is not known")
      return
    }
    #expect(state.shown(.name, of: sea)?.text == "n29")
    #expect(state.digest == other.digest)
    // From here on it can give the whole log to others.
    let third = try ChangeStore(writing: folders[2].folder)
    let log = try #require(try fresh.changes(of: Self.palette))
    for arrival in try third.merge(log, into: Self.palette) {
      if case .merged = arrival { continue }
      Issue.record("\(arrival)")
    }
    #expect(try third.digest() == digest)
    // And forget it again.
    _ = try fresh.compact(Self.palette, beforeMilliseconds: .max)
    #expect(try fresh.digest() == digest)
    #expect(try fresh.historySince(of: Self.palette) != nil)
  }

  /// What came yesterday stays when all that is older than a week goes, though it be years old.
  @Test func theyAreNoOlderThanTheyHaveBeenHere() throws {
    #expect(try fresh.mergeOldHistory(try parts(), into: Self.palette) == nil)
    let (past, beginning) = (clock.milliseconds - 10_000, clock.milliseconds - 60_000)
    clock.milliseconds += 86_400_000
    #expect(try fresh.compact(Self.palette, beforeMilliseconds: beginning).removed == 0)
    guard case .known(let state) = try fresh.state(of: Self.palette, atMilliseconds: past) else {
      Issue.record("the past is not known")
      return
    }
    #expect(state.shown(.name, of: sea)?.text == "n29")
    let hourAgo = clock.milliseconds - 3_600_000
    #expect(try fresh.compact(Self.palette, beforeMilliseconds: hourAgo).removed > 30)
  }

  @Test func aClockThatRanAheadWhenTheyCameDoesNotKeepThem() throws {
    let now = clock.milliseconds
    clock.milliseconds += 365 * 86_400_000
    #expect(try fresh.mergeOldHistory(try parts(), into: Self.palette) == nil)
    clock.milliseconds = now + 1_000
    #expect(try fresh.compact(Self.palette, beforeMilliseconds: .max).removed > 30)
  }

  @Test func rowsThatDoNotFitAreRefused() throws {
    let before = try fresh.history(of: Self.palette)
    var forged = try parts()
    let node = try #require(forged.keys.first)
    var change = try Change(decoding: try #require(forged[node]?.changes[10]), in: Self.palette)
    #expect(change.kind == .set)
    change.writes = [.init(.name, saw: [], value: RegisterValue(text: "forged"))]
    forged[node]?.changes[10] = change.encoded
    #expect(try fresh.mergeOldHistory(forged, into: Self.palette) == .fork)
    var disordered = try parts()
    disordered[node]?.changes.swapAt(3, 4)
    #expect(try fresh.mergeOldHistory(disordered, into: Self.palette) != nil)
    #expect(try fresh.history(of: Self.palette) == before)
  }
}
