import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A compaction in steps is one that others live on beside.
struct SteppedCompactionTests {
  /// A library with a log of many authors, some of it old.
  private final class Life {
    let folder: TemporaryLibrary
    let clock = ManualClock()
    let store: ChangeStore
    let script: EditScript
    let seed: UInt64
    var pure: PaletteState

    init(seed: UInt64) throws {
      self.seed = seed
      folder = try TemporaryLibrary()
      script = try EditScript(seed: seed, steps: 120)
      let clock = clock
      store = try ChangeStore(
        writing: folder.folder,
        random: SeededRandom(seed: seed),
        milliseconds: { clock.milliseconds }
      )
      if seed % 2 == 0 { store.keepState() }
      pure = PaletteState(script.palette)
      let lies = seed % 3 == 0 ? try script.foreseen(seed: ~seed, dropsFalsely: true) : []
      for bytes in lies + script.changes {
        try store.merge([bytes], into: script.palette)
        try pure.merge(bytes)
        clock.milliseconds += 90_000
      }
    }

    var palette: PaletteID { script.palette }
    var horizon: Int64 { clock.milliseconds - Int64(seed % 4) * 10 * 90_000 }

    func plan() throws -> CompactionPlan {
      let order = try store.beginCompactions(of: [palette], beforeMilliseconds: horizon)[0]
      let reader = try #require(try ChangeStore.reading(folder.folder))
      return try reader.read { try reader.planCompaction(order) }
    }

    /// Everything that a compaction alters.
    func tables() throws -> [String] {
      var rows: [String] = []
      for query in [
        "SELECT id, arrival, hex(bytes), '' FROM change ORDER BY id",
        "SELECT id, held, floor, link FROM stream ORDER BY id",
        "SELECT since, arrivals, hex(digest), colors FROM palette",
        "SELECT key, hex(value), '', '' FROM meta WHERE key LIKE 'covered.%'",
        "SELECT hex(uuid), arrival, '', '' FROM removal ORDER BY uuid",
        "SELECT id, undone, hex(steps), '' FROM action ORDER BY id",
      ] {
        try store.database.prepare(query).rows { row in
          rows.append((0..<4).map { row.text(Int32($0)) }.joined(separator: " "))
        }
      }
      return rows
    }

    /// What holds at any time: the library is whole, and leads whoever asks to the same state.
    func expectWhole(_ place: String) throws {
      let comment: Comment = "\(place), replay with seed \(seed)"
      #expect(try store.verify() == [], comment)
      #expect(try store.digest(of: palette) == pure.digest, comment)
      #expect(try store.frontier(of: palette) == pure.frontier, comment)
      #expect(try store.colors(of: palette).map(\.color.id) == pure.listed, comment)
      // One that has everything gets nothing, and one that has nothing gets all.
      #expect(try store.changes(of: palette, after: pure.frontier) == [], comment)
      let snapshot = try #require(try store.snapshot(of: palette))
      var peer = PaletteState(palette)
      if let changes = try store.changes(of: palette) {
        for bytes in changes { try peer.merge(bytes) }
      } else {
        try peer.merge(snapshot)
      }
      #expect(peer.digest == pure.digest && peer.listed == pure.listed, comment)
      var other = pure
      try other.merge(snapshot)
      #expect(other.digest == pure.digest, comment)
    }

    func rowCount() throws -> Int {
      try store.database.prepare("SELECT count(*) FROM change").row { Int($0.int64(0)) } ?? 0
    }
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func endsAsOneTransactionDoesAndIsWholeAfterEachStep(seed: UInt64) throws {
    let (one, other) = (try Life(seed: seed), try Life(seed: seed))
    var random = SeededRandom(seed: seed)
    #expect(try one.tables() == other.tables())
    // The second one forgets what the first did not.
    for round in 0..<2 {
      let summary = try one.store.compact(one.palette, beforeMilliseconds: one.horizon)
      var plan = try other.plan()
      var steps = 0
      while !plan.isDone {
        let limit = Int.random(in: 1...9, using: &random)
        let before = try other.rowCount()
        #expect(try other.store.compact(&plan, atMost: CompactionLimit(rows: limit)))
        #expect(try before - other.rowCount() <= limit)
        steps += 1
        try other.expectWhole("step \(steps) of round \(round)")
      }
      #expect(plan.summary == summary, "replay with seed \(seed)")
      #expect(try one.tables() == other.tables(), "replay with seed \(seed)")
      for life in [one, other] { life.clock.milliseconds += 30 * 90_000 }
    }
  }

  /// What befalls the library between two steps.
  enum Act: CaseIterable {
    case nothing, edit, arrival, deletion, drop
    case snapshot, packedSnapshot, history, reissue, compaction, plan

    /// True if it only appends.
    var appends: Bool {
      switch self {
      case .nothing, .edit, .arrival, .deletion, .drop: true
      case .snapshot, .packedSnapshot, .history, .reissue, .compaction, .plan: false
      }
    }
  }

  @Test(arguments: Act.allCases, TestSeeds.some(of: 6))
  func aPlanHoldsWhileOthersOnlyAppend(_ act: Act, seed: UInt64) throws {
    let life = try Life(seed: seed)
    let (store, palette) = (life.store, life.palette)
    func write(_ edit: Edit) throws {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.palette(palette)?.act([edit])
      }
    }
    // The library itself is one of the authors.
    let own = RecordID(high: 9, low: seed)
    for number in 0..<4 {
      let writes: KeyValuePairs<Register, RegisterValue> = [
        .name: RegisterValue(text: "\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [UInt8(7 + number)]),
      ]
      try write(number == 0 ? .add(own, writes) : .set(own, writes))
    }
    for bytes in try #require(try store.changes(of: palette, after: life.pure.frontier)) {
      try life.pure.merge(bytes)
    }
    let full = life.pure
    life.clock.milliseconds += 40 * 90_000
    var plan = try life.plan()
    #expect(try store.compact(&plan, atMost: CompactionLimit(rows: 3)))
    try #require(!plan.isDone)
    let known = try store.frontier(of: palette)
    switch act {
    case .nothing: break
    case .edit: try write(.set(own, [.name: RegisterValue(text: "later")]))
    case .deletion: try write(.delete(own))
    case .drop: try write(.drop(palette))
    case .arrival:
      let edit = Edit.set(own, [.color: RegisterValue(color: Color(.srgb, 1, 0, 0))])
      let bytes = try life.pure.author(edit, by: NodeID(5), at: Stamp(milliseconds: 1))
      try store.merge([bytes], into: palette)
    case .snapshot: _ = try store.merge(full.snapshot, into: palette)
    case .packedSnapshot:
      let staged = try #require(try store.stagedSnapshot(of: palette))
      _ = try store.merge(staged, into: palette)
    case .history:
      #expect(try store.mergeOldHistory([:], into: palette) == nil)
    case .reissue:
      let cut = Reissue.Cut(after: (known[store.node]?.sequence ?? 0) - 1)
      #expect(try store.reissue([palette: Reissue(cuts: [store.node: cut])]) == 1)
    case .compaction: _ = try store.compact(palette, beforeMilliseconds: life.horizon)
    case .plan: _ = try life.plan()
    }
    for bytes in try store.changes(of: palette, after: life.pure.frontier) ?? [] {
      try life.pure.merge(bytes)
    }
    let rows = try life.rowCount()
    #expect(try store.compact(&plan, atMost: CompactionLimit(rows: 3)) == act.appends, "\(act)")
    if !act.appends { #expect(try life.rowCount() == rows, "\(act)") }
    #expect(try store.verify() == [], "\(act)")
    guard act != .reissue else { return }
    while act.appends, !plan.isDone { #expect(try store.compact(&plan)) }
    try life.expectWhole("after \(act)")
  }

  @Test func whatIsWrittenBeforeThePlanIsReadIsYounger() throws {
    let folder = try TemporaryLibrary()
    let clock = ManualClock()
    let store = try ChangeStore(writing: folder.folder, milliseconds: { clock.milliseconds })
    let palette = try store.makePalette(named: "first")
    clock.milliseconds += 10_000
    let horizon = clock.milliseconds
    let order = try store.beginCompactions(of: [palette], beforeMilliseconds: horizon)[0]
    clock.milliseconds += 1_000
    try store.rename(palette, to: "second")
    var plan = try store.planCompaction(order)
    while !plan.isDone { #expect(try store.compact(&plan)) }
    guard case .known(let past) = try store.state(of: palette, atMilliseconds: horizon + 500) else {
      Issue.record("it is forgotten")
      return
    }
    #expect(past.name == "first")
  }

  @Test func aStepRemovesNoMoreThanItMay() throws {
    let folder = try TemporaryLibrary()
    let store = try ChangeStore(writing: folder.folder)
    let palette = try store.makePalette(named: "Sea")
    for round in 0..<5 {
      try store.write { transaction throws(StoreError) in
        for _ in 0..<500 {
          let edit = Edit.set(palette.record, [.name: RegisterValue(text: "Sea \(round)")])
          _ = try transaction.palette(palette)?.author(edit)
        }
      }
    }
    let order = try store.beginCompactions(of: [palette], beforeMilliseconds: .max)[0]
    var plan = try store.planCompaction(order)
    #expect(plan.summary.changes == 2_501 && plan.rowsLeft == 2_500)
    var removed: [Int] = []
    while !plan.isDone {
      let before = plan.summary.removed
      #expect(try store.compact(&plan))
      removed.append(plan.summary.removed - before)
    }
    #expect(removed == [1_000, 1_000, 500])
    // The bytes are limited too.
    try store.write { transaction throws(StoreError) in
      for _ in 0..<100 {
        let note = RegisterValue(text: String(repeating: "x", count: 1_000))
        _ = try transaction.palette(palette)?.author(.set(palette.record, [.note: note]))
      }
    }
    plan = try store.planCompaction(
      try store.beginCompactions(of: [palette], beforeMilliseconds: .max)[0]
    )
    #expect(try store.compact(&plan, atMost: CompactionLimit(rows: 1_000, bytes: 10_000)))
    #expect(plan.summary.removed < 12 && plan.rowsLeft > 80)
  }

  @Test func whatIsLiveStaysWhateverAPlanSays() throws {
    let life = try Life(seed: 2)
    var plan = try life.plan()
    let record = try #require(life.pure.listed.first)
    let live = try #require(life.pure.records[record]?.values.first?.dot)
    plan.rows = [CompactionPlan.Row(dot: live, record: record, byteCount: 1, covers: [])]
    #expect(try life.store.compact(&plan) && plan.summary.removed == 0)
    try life.expectWhole("after a wrong plan")
  }

  @Test func whatAnEditorsPeerLacksStaysOnceThereIsOne() throws {
    let folder = try TemporaryLibrary()
    let store = try ChangeStore(writing: folder.folder)
    let palette = try store.makePalette(named: "Sea")
    for number in 0..<20 { try store.rename(palette, to: "Sea \(number)") }
    let order = try store.beginCompactions(of: [palette], beforeMilliseconds: .max)[0]
    var plan = try store.planCompaction(order)
    #expect(try store.compact(&plan, atMost: CompactionLimit(rows: 5)))
    #expect(plan.summary.removed == 5 && plan.rowsLeft == 15)
    try store.peers.save(
      StoredPeer(url: "ws://a", addresses: ["ws://a"], secret: [1], grants: [Grant(.editor)])
    )
    #expect(try store.compact(&plan) && plan.isDone)
    #expect(plan.summary.removed == 5)
  }

  @Test func correctionsAreWhatANewCountFinds() throws {
    let folder = try TemporaryLibrary()
    let store = try ChangeStore(writing: folder.folder)
    let palette = try store.makePalette(named: "Sea")
    let members = try (1...3 as ClosedRange<UInt8>).map {
      try store.members.makeMember(
        .script,
        secret: [UInt8](repeating: $0, count: 32),
        grant: Grant(.editor)
      ).member
    }
    for (member, register) in zip(members, [Register.name, .note]) {
      for number in 0..<5 {
        try store.act(
          [.set(palette.record, [register: RegisterValue(text: "\(number)")])],
          in: palette,
          by: AuthorID(member)
        )
      }
    }
    let written = store.members.written
    try written.add([members[0].id: 1_000, members[2].id: 7])
    _ = try store.compact(palette, beforeMilliseconds: .max)
    let corrections = try written.corrections()
    #expect(corrections.count == 3)
    // What is written meanwhile is not lost.
    try written.add([members[1].id: 11])
    try written.add(corrections)
    let counts = try members.map { try written.count(of: $0.id) }
    try written.recount()
    let recounted = try members.map { try written.count(of: $0.id) }
    #expect(counts == [recounted[0], recounted[1] + 11, 0] && recounted[0] > 0)
  }

  /// Forks between the steps: the library was rolled back, others have other changes under its id.
  @Test(arguments: TestSeeds.some(of: 60))
  func forksBetweenTheStepsLoseNothing(seed: UInt64) throws {
    let life = try Life(seed: seed)
    let (store, palette) = (life.store, life.palette)
    var random = SeededRandom(seed: ~seed)
    let comment: Comment = "replay with seed \(seed)"
    func edit() throws -> Edit {
      let record = try store.colors(of: palette).map(\.color.id).randomElement(using: &random)
      let value = RegisterValue(text: "n\(Int.random(in: 0..<1_000, using: &random))")
      guard let record else { return .set(palette.record, [.name: value]) }
      return random.chance(0.2) ? .delete(record) : .set(record, [.name: value])
    }
    func act(_ count: Int) throws {
      for _ in 0..<count {
        let edit = try edit()
        life.clock.milliseconds += 1_000
        try store.write { transaction throws(StoreError) in
          _ = try transaction.palette(palette)?.act([edit])
        }
      }
    }
    /// The others get all, in whatever way there is.
    func deliver() throws {
      if let changes = try store.changes(of: palette, after: life.pure.frontier) {
        for bytes in changes { try life.pure.merge(bytes) }
      } else {
        try life.pure.merge(try #require(try store.snapshot(of: palette)))
      }
    }
    try act(20)
    try deliver()
    life.clock.milliseconds += 40 * 90_000
    var plan = try life.plan()
    for _ in 0..<30 {
      let node = store.node
      let common = try store.frontier(of: palette)[node]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try act(2)
        try deliver()
      case 1:
        let bytes = try life.pure.author(try edit(), by: NodeID(5), at: Stamp(milliseconds: 1))
        try store.merge([bytes], into: palette)
      case 2:
        guard let common, random.chance(0.5) else { break }
        // The same numbers are used twice; then this library takes a new id.
        var theirs: [[UInt8]] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          theirs.append(
            try life.pure.author(try edit(), by: node, at: Stamp(milliseconds: 5))
          )
        }
        try act(Int.random(in: 0...3, using: &random))
        let cut = Reissue.Cut(after: common.sequence, link: common.link)
        try store.reissue([palette: Reissue(cuts: [node: cut])])
        for arrival in try store.merge(theirs, into: palette) {
          if case .refused(let refusal) = arrival { Issue.record("\(refusal), \(comment)") }
        }
        try deliver()
      default: break
      }
      let shown = (try store.digest(of: palette), try store.colors(of: palette).map(\.color))
      let limit = CompactionLimit(rows: Int.random(in: 1...9, using: &random))
      if try !store.compact(&plan, atMost: limit) || plan.isDone { plan = try life.plan() }
      #expect(
        try store.digest(of: palette) == shown.0
          && store.colors(of: palette).map(\.color) == shown.1,
        comment
      )
      #expect(try store.verify() == [], comment)
    }
    try deliver()
    try life.expectWhole("in the end")
  }
}
