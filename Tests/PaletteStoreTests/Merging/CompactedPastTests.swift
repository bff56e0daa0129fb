import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A library that was compacted, or began with a snapshot, tells the same past as one that holds everything.
struct CompactedPastTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  /// Libraries in which edits are made at the same time; the first forgets history, the third never
  /// does, and a fourth begins with what that one shows.
  private final class Libraries {
    let clock = ManualClock()
    let folders: [TemporaryLibrary]
    let stores: [ChangeStore]
    private var random: SeededRandom
    private var hasJoined = false

    init(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      clock.milliseconds = 1_000_000
      folders = try (0..<4).map { _ in try TemporaryLibrary() }
      let clock = clock
      stores = try folders.enumerated().map { index, library in
        try ChangeStore(
          writing: library.folder,
          random: SeededRandom(seed: seed &* 4 &+ UInt64(index)),
          milliseconds: { clock.milliseconds }
        )
      }
      try act(.add(palette.record, [.name: RegisterValue(text: "P")]), at: 0)
      for number in 1...4 { try act(adding(UInt64(number)), at: 0) }
      try exchange()
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private func adding(_ number: UInt64) -> Edit {
      .add(
        RecordID(high: 2, low: number),
        [
          .name: RegisterValue(text: "c\(number)"),
          .place: RegisterValue(placeBytes: [UInt8(number)]),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        ]
      )
    }

    func act(_ edit: Edit, at index: Int) throws {
      clock.milliseconds += 10
      try stores[index].write { transaction throws(StoreError) in
        _ = try transaction.palette(beginning: palette).act([edit])
      }
    }

    /// Removes, brings back or alters some color.
    func edit(at index: Int) throws {
      let record = RecordID(high: 2, low: UInt64(number(1...4)))
      switch number(0...5) {
      case 0, 1: try act(.delete(record), at: index)
      case 2:
        guard let edit = try stores[index].restoring(record, in: palette) else { return }
        try act(edit, at: index)
      case 3:
        let color = Color(.srgb, 0, Double(number(0...9)) / 10, 1)
        try act(.set(record, [.color: RegisterValue(color: color)]), at: index)
      default: try act(.set(record, [.name: RegisterValue(text: "n\(number(0...99))")]), at: index)
      }
    }

    /// Has everybody hold what is held by anyone; who lacks what was compacted begins with a snapshot.
    func exchange() throws {
      for _ in 0..<2 {
        for (from, to) in [(0, 2), (1, 2), (2, 0), (2, 1), (2, 3)] where to < 3 || hasJoined {
          let held = try stores[to].frontier(of: palette)
          if let changes = try stores[from].changes(of: palette, after: held) {
            try stores[to].merge(changes, into: palette)
          }
        }
      }
    }

    /// Has the last one begin with a packed snapshot, and the second one take in a plain one.
    func bringSnapshots() throws {
      if !hasJoined, let staged = try stores[2].stagedSnapshot(of: palette) {
        #expect(try stores[3].merge(staged, into: palette).refusal == nil)
        hasJoined = true
      }
      let snapshot = try #require(try stores[2].snapshot(of: palette))
      #expect(try stores[1].merge(snapshot, into: palette).refusal == nil)
    }

    /// Fetches all that a library forgot.
    func fetchHistory(_ index: Int) throws {
      var parts: [NodeID: HistoryPart] = [:]
      for (node, floor) in try stores[index].floors(of: palette) {
        parts[node] = try stores[2].oldHistory(
          of: palette,
          by: node,
          1...floor,
          byteLimit: .max / 2
        )
      }
      #expect(try stores[index].mergeOldHistory(parts, into: palette) == nil)
      #expect(try stores[index].historySince(of: palette) == nil)
    }

    private var palette: PaletteID { CompactedPastTests.palette }
  }

  @Test(arguments: TestSeeds.some(of: 24))
  func isThatOfALibraryThatHoldsEverything(seed: UInt64) throws {
    let libraries = try Libraries(seed: seed)
    let (clock, stores) = (libraries.clock, libraries.stores)
    for _ in 0..<12 {
      for _ in 0..<libraries.number(1...5) { try libraries.edit(at: libraries.number(0...1)) }
      if libraries.number(0...2) > 0 { try libraries.exchange() }
      clock.milliseconds += 5_000
      switch libraries.number(0...3) {
      case 0:
        // What nobody else holds would be forgotten as well.
        try libraries.exchange()
        let horizon = clock.milliseconds - Int64(libraries.number(0...20_000))
        try compact(libraries, beforeMilliseconds: horizon, seed)
      case 1: try libraries.bringSnapshots()
      default: break
      }
    }
    try libraries.bringSnapshots()
    try libraries.exchange()
    for index in [0, 1, 3] {
      #expect(try stores[index].digest() == stores[2].digest(), "replay with seed \(seed)")
      try expectSamePast(libraries, index, seed)
      try libraries.fetchHistory(index)
      try expectSamePast(libraries, index, seed)
    }
  }

  /// Compacts the first library at once, or in steps between which all of them live on.
  private func compact(
    _ libraries: Libraries,
    beforeMilliseconds horizon: Int64,
    _ seed: UInt64
  ) throws {
    let store = libraries.stores[0]
    guard libraries.number(0...2) > 0 else {
      _ = try store.compact(Self.palette, beforeMilliseconds: horizon)
      return
    }
    let order = try store.beginCompactions(of: [Self.palette], beforeMilliseconds: horizon)[0]
    for _ in 0..<libraries.number(0...2) { try libraries.edit(at: 0) }
    let reader = try #require(try ChangeStore.reading(store.folder))
    var plan = try reader.read { try reader.planCompaction(order) }
    while !plan.isDone {
      var isAltered = false
      switch libraries.number(0...9) {
      case 0: try libraries.exchange()
      case 1:
        try libraries.bringSnapshots()
        let snapshot = try #require(try libraries.stores[2].snapshot(of: Self.palette))
        #expect(try store.merge(snapshot, into: Self.palette).refusal == nil)
        isAltered = true
      case 2:
        try libraries.fetchHistory(0)
        isAltered = true
      case 3...6: try libraries.edit(at: 0)
      default: break
      }
      let shown = try store.digest(of: Self.palette)
      let isTaken = try store.compact(&plan, atMost: CompactionLimit(rows: libraries.number(1...4)))
      #expect(isTaken != isAltered, "replay with seed \(seed)")
      #expect(try store.digest(of: Self.palette) == shown, "replay with seed \(seed)")
      #expect(try store.verify() == [], "replay with seed \(seed)")
      try expectSamePast(libraries, 0, seed)
      if isAltered { return }
    }
  }

  private func expectSamePast(_ libraries: Libraries, _ index: Int, _ seed: UInt64) throws {
    let (store, full) = (libraries.stores[index], libraries.stores[2])
    let since = max(try store.historySince(of: Self.palette) ?? 0, 1_000_000)
    for time in stride(from: since, through: libraries.clock.milliseconds, by: 1_000) {
      let comment: Comment = "member \(index) at \(time), replay with seed \(seed)"
      guard case .known(let past) = try store.state(of: Self.palette, atMilliseconds: time),
        case .known(let whole) = try full.state(of: Self.palette, atMilliseconds: time)
      else {
        Issue.record(comment)
        continue
      }
      #expect(past.listed == whole.listed, comment)
      for record in whole.listed {
        #expect(past.shown(.name, of: record) == whole.shown(.name, of: record), comment)
        #expect(past.shown(.color, of: record) == whole.shown(.color, of: record), comment)
        #expect(past.conflicts(of: record) == whole.conflicts(of: record), comment)
      }
    }
  }
}
