import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Own changes are issued again under new dots, and nothing is lost.
struct ReissueTests {
  /// A library that was rolled back: others hold changes of its node id that it does not know.
  private final class RolledBack {
    let library: TemporaryLibrary
    let clock = ManualClock()
    let store: ChangeStore
    let palette = PaletteID(RecordID(high: 1, low: 1))
    /// What everyone else holds, the forgotten changes among it.
    var others: PaletteState
    var random: SeededRandom
    /// The changes that the others made of what the library forgot.
    var theirs: [[UInt8]] = []
    var node: NodeID
    private let stranger = NodeID(77)
    private var lastRecord: UInt64 = 1

    init(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      library = try TemporaryLibrary()
      let clock = clock
      store = try ChangeStore(
        writing: library.folder,
        random: SeededRandom(seed: ~seed),
        milliseconds: { clock.milliseconds }
      )
      node = store.node
      others = PaletteState(palette)
      try act([.add(palette.record, [.name: RegisterValue(text: "P")])])
      try act(edits(count: 5, store))
      for bytes in try changes(after: [:]) { try others.merge(bytes) }
    }

    func act(_ edits: [Edit]) throws {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.palette(beginning: palette).act(edits)
      }
    }

    func changes(after frontier: Frontier) throws -> [[UInt8]] {
      try #require(try store.changes(of: palette, after: frontier))
    }

    /// Makes changes elsewhere: as the library that will forget them, and as someone else.
    func forget(count: Int, ownShare: Double = 0.6) throws {
      for _ in 0..<count {
        let author = random.chance(ownShare) ? node : stranger
        let known = others.records.keys.filter { $0 != palette.record }.sorted()
        let edit = self.edit(known)
        theirs.append(try others.author(edit, by: author, at: Stamp(milliseconds: 5)))
      }
    }

    func edits(count: Int, _ store: ChangeStore) throws -> [Edit] {
      var edits: [Edit] = []
      for _ in 0..<count {
        edits.append(edit(try store.colors(of: palette).map(\.color.id)))
      }
      return edits
    }

    private func edit(_ known: [RecordID]) -> Edit {
      guard let record = known.randomElement(using: &random), random.chance(0.7) else {
        lastRecord += 1
        return .add(
          RecordID(high: 7, low: UInt64.random(in: 0 ... .max, using: &random)),
          [
            .name: RegisterValue(text: "c\(lastRecord)"),
            .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [UInt8.random(in: 1..<250, using: &random)]),
          ]
        )
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        let name = "n\(Int.random(in: 0..<1000, using: &random))"
        return .set(record, [.name: RegisterValue(text: name)])
      case 3: return .delete(record)
      case 4: return .drop(palette)
      default:
        let value = Double(Int.random(in: 0..<255, using: &random)) / 255
        return .set(record, [.color: RegisterValue(color: Color(.srgb, value, 0, 0))])
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 80))
  func bothBranchesOfARollbackAreKept(seed: UInt64) throws {
    let rolled = try RolledBack(seed: seed)
    let common = try #require(try rolled.store.frontier(of: rolled.palette)[rolled.node])
    let count = Int.random(in: 1..<12, using: &rolled.random)
    try rolled.forget(count: count)
    for _ in 0..<Int.random(in: 1..<12, using: &rolled.random) {
      try rolled.act(try rolled.edits(count: 1, rolled.store))
    }
    let mine = try rolled.store.colors(of: rolled.palette).map(\.color)
    // What someone else made of the forgotten changes may have come by another way.
    let early = try rolled.theirs.filter {
      try Change(decoding: $0, in: rolled.palette).dot.node != rolled.node
    }
    let isEarly = rolled.random.chance(0.5)
    if isEarly { try rolled.store.merge(early, into: rolled.palette) }

    let issued = try rolled.store.reissue([
      rolled.palette: Reissue(cuts: [rolled.node: .init(after: common.sequence)])
    ])
    let comment: Comment = "replay with seed \(seed)"
    #expect(issued > 0, comment)
    #expect(rolled.store.node != rolled.node && rolled.store.isOwn(rolled.node), comment)
    #expect(
      try rolled.store.isSettled(rolled.node, after: common.sequence, in: rolled.palette),
      comment
    )
    if !isEarly {
      #expect(try rolled.store.colors(of: rolled.palette).map(\.color) == mine, comment)
    }
    #expect(try rolled.store.verify(rolled.palette) == [], comment)
    #expect(try rolled.store.frontier(of: rolled.palette)[rolled.node] == common, comment)

    for arrival in try rolled.store.merge(rolled.theirs, into: rolled.palette) {
      if case .refused(let refusal) = arrival { Issue.record("\(refusal), \(comment)") }
    }
    for bytes in try rolled.changes(after: rolled.others.frontier) {
      try rolled.others.merge(bytes)
    }
    #expect(try rolled.store.digest(of: rolled.palette) == rolled.others.digest, comment)
    #expect(try rolled.store.frontier(of: rolled.palette) == rolled.others.frontier, comment)
    #expect(try rolled.store.verify(rolled.palette) == [], comment)
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func whatCompactedChangesSaidIsNotForgotten(seed: UInt64) throws {
    let rolled = try RolledBack(seed: seed)
    let comment: Comment = "replay with seed \(seed)"
    let all = try rolled.changes(after: [:])
    try rolled.forget(count: 10, ownShare: 0)
    try rolled.store.merge(rolled.theirs, into: rolled.palette)
    rolled.clock.milliseconds += 10_000
    _ = try rolled.store.compact(rolled.palette, beforeMilliseconds: .max)
    let floor = try rolled.store.floors(of: rolled.palette)[rolled.node] ?? 0
    let cut = Reissue.Cut(after: floor)
    try rolled.store.reissue([rolled.palette: Reissue(cuts: [rolled.node: cut])])
    #expect(try rolled.store.verify(rolled.palette) == [], comment)
    // The changes had left after all.
    try rolled.store.merge(all, into: rolled.palette)
    let fresh = try #require(
      try rolled.store.changes(of: rolled.palette, after: rolled.others.frontier)
    )
    for bytes in fresh { try rolled.others.merge(bytes) }
    #expect(try rolled.store.digest(of: rolled.palette) == rolled.others.digest, comment)
    #expect(try rolled.store.verify(rolled.palette) == [], comment)
  }

  /// A delete that was compacted away covers what it covered, although a later one, which is issued
  /// again, names the same value: the color was seen again in between, because it was restored here or
  /// edited elsewhere.
  @Test(arguments: [true, false])
  func whatWasCoveredTwiceStaysCovered(isRestored: Bool) throws {
    let rolled = try RolledBack(seed: 1)
    let (store, palette) = (rolled.store, rolled.palette)
    let color = try #require(try store.colors(of: palette).first?.color.id)
    let common = try #require(try store.frontier(of: palette)[rolled.node])
    try rolled.act([.set(color, [.name: RegisterValue(text: "changed")])])
    let edit = try rolled.others.author(
      .set(color, [.color: RegisterValue(color: Color(.srgb, 1, 0, 0))]),
      by: NodeID(77),
      at: Stamp(milliseconds: 5)
    )
    try store.adoptNewNode()
    let second = store.node
    try rolled.act([.delete(color)])
    let all = try rolled.changes(after: [:])
    for bytes in all { try rolled.others.merge(bytes) }
    rolled.clock.milliseconds += 10_000
    _ = try store.compact(palette, beforeMilliseconds: .max)
    #expect(try store.floors(of: palette)[second] == 1)
    var between: [[UInt8]] = []
    if isRestored {
      try rolled.act([try #require(try store.restoring(color, in: palette))])
      between = try rolled.changes(after: rolled.others.frontier)
      for bytes in between { try rolled.others.merge(bytes) }
    } else {
      try store.merge([edit], into: palette)
    }
    #expect(try store.colors(of: palette).contains { $0.color.id == color })
    try rolled.act([.delete(color)])

    let cuts = [rolled.node: Reissue.Cut(after: common.sequence), second: .init(after: 1)]
    #expect(try store.reissue([palette: Reissue(cuts: cuts)]) == (isRestored ? 3 : 2))
    // What was made before the second delete had left after all.
    try store.merge(all + between + [edit], into: palette)
    for bytes in try rolled.changes(after: rolled.others.frontier) {
      try rolled.others.merge(bytes)
    }
    #expect(try store.frontier(of: palette) == rolled.others.frontier)
    #expect(try store.digest(of: palette) == rolled.others.digest)
    #expect(try store.verify(palette) == [])
  }

  /// What a delete that was compacted away covered is forgotten with the change that is issued again:
  /// another one comes under its number.
  @Test func whatComesUnderTheSameNumberWasNotCovered() throws {
    let rolled = try RolledBack(seed: 1)
    let (store, palette) = (rolled.store, rolled.palette)
    let color = try #require(try store.colors(of: palette).first?.color.id)
    let common = try #require(try store.frontier(of: palette)[rolled.node])
    let theirs = try rolled.others.author(
      .set(color, [.name: RegisterValue(text: "theirs")]),
      by: rolled.node,
      at: Stamp(milliseconds: 5)
    )
    try rolled.act([.set(color, [.name: RegisterValue(text: "mine")])])
    try store.adoptNewNode()
    try rolled.act([.delete(color)])
    rolled.clock.milliseconds += 10_000
    _ = try store.compact(palette, beforeMilliseconds: .max)
    try store.reissue([palette: Reissue(cuts: [rolled.node: .init(after: common.sequence)])])
    try store.merge([theirs], into: palette)
    let now = try store.state(of: palette, atMilliseconds: .max >> 16)
    guard case .known(let state) = now else {
      Issue.record("the present is not known")
      return
    }
    #expect(try state.digest == store.digest(of: palette))
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func undoActsOnWhatWasIssuedAgain(seed: UInt64) throws {
    let rolled = try RolledBack(seed: seed)
    // A palette that was dropped comes back by any edit, and undo does not drop it again.
    try rolled.act([.set(rolled.palette.record, [.name: RegisterValue(text: "R")])])
    let before = try rolled.store.colors(of: rolled.palette).map(\.color)
    let common = try rolled.store.frontier(of: rolled.palette)[rolled.node]?.sequence ?? 0
    let cut = UInt32.random(in: 0...common, using: &rolled.random)
    var actions = 0
    for _ in 0..<Int.random(in: 1..<6, using: &rolled.random) {
      // Undo does not take a drop back.
      let edits = try rolled.edits(count: 1, rolled.store).filter { $0.kind != .drop }
      let held = try rolled.store.frontier(of: rolled.palette)
      try rolled.act(
        edits.isEmpty ? [.set(rolled.palette.record, [.name: .init(text: "Q")])] : edits
      )
      // One that sets what stands there already is none.
      if try rolled.store.frontier(of: rolled.palette) != held { actions += 1 }
    }
    let after = try rolled.store.colors(of: rolled.palette).map(\.color)
    try rolled.store.reissue([rolled.palette: Reissue(cuts: [rolled.node: .init(after: cut)])])
    func times(_ body: (PaletteWriter) throws(StoreError) -> UndoOutcome?) throws {
      for _ in 0..<actions {
        try rolled.store.write { transaction throws(StoreError) in
          guard let palette = try transaction.palette(rolled.palette) else { return }
          let outcome = try body(palette)
          #expect(outcome?.skipped.isEmpty == true, "replay with seed \(seed)")
        }
      }
    }
    try times { palette throws(StoreError) in try ActionUndo(in: palette).undo() }
    let undone = try rolled.store.colors(of: rolled.palette).map(\.color)
    #expect(undone == before, "replay with seed \(seed)")
    try times { palette throws(StoreError) in try ActionUndo(in: palette).redo() }
    let redone = try rolled.store.colors(of: rolled.palette).map(\.color)
    #expect(redone == after, "replay with seed \(seed)")
    #expect(try rolled.store.verify(rolled.palette) == [], "replay with seed \(seed)")
  }

  @Test func ownChangesThatSawOthersGoAlong() throws {
    let rolled = try RolledBack(seed: 1)
    let color = try #require(try rolled.store.colors(of: rolled.palette).first?.color.id)
    let common = try #require(try rolled.store.frontier(of: rolled.palette)[rolled.node])
    try rolled.act([.set(color, [.name: RegisterValue(text: "first")])])
    try rolled.store.adoptNewNode()
    let second = rolled.store.node
    #expect(second != rolled.node)
    try rolled.act([.set(color, [.name: RegisterValue(text: "second")])])
    try rolled.store.reissue([
      rolled.palette: Reissue(cuts: [rolled.node: .init(after: common.sequence)])
    ])
    let frontier = try rolled.store.frontier(of: rolled.palette)
    #expect(frontier[second] == nil && frontier[rolled.store.node]?.sequence == 2)
    #expect(try rolled.store.record(color, in: rolled.palette)?.name == "second")
    #expect(try rolled.store.verify(rolled.palette) == [])
  }

  @Test func whoSawAChangeHasSeenItUnderItsNewDots() throws {
    let rolled = try RolledBack(seed: 1)
    let common = try #require(try rolled.store.frontier(of: rolled.palette)[rolled.node])
    let (color, other) = (RecordID(high: 8, low: 1), RecordID(high: 8, low: 2))
    for id in [color, other] {
      try rolled.act([
        .add(
          id,
          [
            .name: RegisterValue(text: "seen"),
            .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [7]),
          ]
        )
      ])
    }
    let seen = try rolled.store.colors(of: rolled.palette, withSeen: true)
    let (first, second) = (
      try #require(seen.first { $0.color.id == color }?.seen),
      try #require(seen.first { $0.color.id == other }?.seen)
    )
    for cut in [(rolled.node, common.sequence), (nil, 0)] {
      let cuts = [cut.0 ?? rolled.store.node: Reissue.Cut(after: cut.1)]
      #expect(try rolled.store.reissue([rolled.palette: Reissue(cuts: cuts)]) == 2)
    }
    // What came later he has not seen.
    try rolled.act([.set(other, [.note: RegisterValue(text: "later")])])
    try rolled.act([.delete(color).seeing(first), .delete(other).seeing(second)])
    let left = try rolled.store.colors(of: rolled.palette).map(\.color.id)
    #expect(!left.contains(color))
    #expect(left.contains(other))
    #expect(try rolled.store.verify(rolled.palette) == [])
  }

  @Test func changesOfOursFromElsewhereMeanThatTheseFilesAreOld() throws {
    let rolled = try RolledBack(seed: 2)
    try rolled.forget(count: 20)
    try rolled.store.merge(rolled.theirs, into: rolled.palette)
    #expect(rolled.store.node != rolled.node)
    try rolled.act([.set(rolled.palette.record, [.name: RegisterValue(text: "Q")])])
    let frontier = try rolled.store.frontier(of: rolled.palette)
    #expect(frontier[rolled.store.node]?.sequence == 1)
    #expect(frontier[rolled.node] == rolled.others.frontier[rolled.node])
    for bytes in try rolled.changes(after: rolled.others.frontier) {
      try rolled.others.merge(bytes)
    }
    #expect(try rolled.store.digest(of: rolled.palette) == rolled.others.digest)
  }

  @Test func nothingToIssueAgainIsNoNewIdentity() throws {
    let rolled = try RolledBack(seed: 3)
    let digest = try rolled.store.digest()
    let unknown = PaletteID(RecordID(high: 9, low: 9))
    #expect(try rolled.store.reissue([unknown: Reissue(cuts: [rolled.node: .init(after: 0)])]) == 0)
    #expect(rolled.store.node == rolled.node)
    #expect(try rolled.store.digest() == digest)
  }

  @Test func stampsOfAClockThatWasWrongArePutRight() throws {
    let rolled = try RolledBack(seed: 4)
    let now: Int64 = 1_700_000_000_000
    let common = try #require(try rolled.store.frontier(of: rolled.palette)[rolled.node])
    // One edit by a good clock, one by a clock that began in 1970.
    for (milliseconds, name) in [(now - 60_000, "good"), (1_000_000, "wrong")] {
      rolled.clock.milliseconds = milliseconds
      try rolled.act([.set(rolled.palette.record, [.name: RegisterValue(text: name)])])
    }
    let shift = StampShift(milliseconds: now - 1_000_000, nowMilliseconds: now)
    try rolled.store.reissue([
      rolled.palette: Reissue(cuts: [rolled.node: .init(after: common.sequence)], shift: shift)
    ])
    let times = try rolled.changes(after: rolled.others.frontier).map {
      try Change(decoding: $0, in: rolled.palette).stamp.milliseconds
    }
    #expect(times == [now - 60_000, now])
  }

  /// A name that others hold is replaced and compacted away here; what replaced it is issued again.
  ///
  /// - Parameters:
  ///   - notes: How many notes follow the first name; a last one stays, others are compacted too.
  ///   - shift: The shift of the stamps.
  /// - Returns: How many changes were issued again.
  /// - Throws: Where a step cannot be done.
  private func reissueBehindCompacted(notes: Int, shift: StampShift?) throws -> Int {
    let rolled = try RolledBack(seed: 1)
    let color = try #require(try rolled.store.colors(of: rolled.palette).first?.color.id)
    func set(_ register: Register, _ text: String) throws {
      rolled.clock.milliseconds += 10
      try rolled.act([.set(color, [register: RegisterValue(text: text)])])
    }
    func deliver() throws {
      for bytes in try rolled.changes(after: rolled.others.frontier) {
        try rolled.others.merge(bytes)
      }
    }
    try set(.name, "first")
    for number in 0..<notes { try set(.note, "note \(number)") }
    try deliver()
    let common = try #require(try rolled.store.frontier(of: rolled.palette)[rolled.node])
    try set(.name, "second")
    rolled.clock.milliseconds += 10_000
    #expect(try rolled.store.compact(rolled.palette, beforeMilliseconds: .max).removed > 0)
    let cuts = [rolled.node: Reissue.Cut(after: common.sequence)]
    let count = try rolled.store.reissue([rolled.palette: Reissue(cuts: cuts, shift: shift)])
    #expect(try rolled.store.verify(rolled.palette) == [])
    try deliver()
    #expect(rolled.others.conflicts(of: color) == [])
    #expect(try rolled.store.digest(of: rolled.palette) == rolled.others.digest)
    return count
  }

  @Test(arguments: [nil, StampShift(milliseconds: 1_000, nowMilliseconds: 1_000_000_000)])
  func whatReplacedACompactedChangeStillSaysSo(shift: StampShift?) throws {
    #expect(try reissueBehindCompacted(notes: 1, shift: shift) == 1)
  }

  @Test func stampsStayWhereWhatWasReplacedIsNotKnownAnyMore() throws {
    let shift = StampShift(milliseconds: 1_000, nowMilliseconds: 1_000_000_000)
    #expect(try reissueBehindCompacted(notes: 2, shift: shift) == 0)
  }
}
