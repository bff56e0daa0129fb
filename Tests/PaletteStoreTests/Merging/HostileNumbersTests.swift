import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Numbers that nobody honest sends, in snapshots of valid grammar: none of them ends the process.
struct HostileNumbersTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let sea = RecordID(high: 2, low: 1)
  private let libraries: [TemporaryLibrary]
  private let store: ChangeStore

  init() throws {
    libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    store = try ChangeStore(writing: libraries[0].folder, random: SeededRandom(seed: 1))
    try act(.add(Self.palette.record, [.name: RegisterValue(text: "P")]))
    for number in 1...4 {
      let id = RecordID(high: 2, low: UInt64(number))
      try act(
        .add(
          id,
          [
            .name: RegisterValue(text: "c\(number)"),
            .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [UInt8(number)]),
          ]
        )
      )
    }
  }

  private func act(_ edits: Edit...) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: Self.palette).act(edits)
    }
  }

  @Test func historyAfterAnAuthorAtTheLastNumber() throws {
    let author = NodeID(7)
    let snapshot = Snapshot(
      frontier: [author: StreamHead(sequence: Dot.lastSequence, link: 1)],
      dropped: [:],
      highestWrite: [author: Dot.lastSequence],
      ahead: [],
      rows: []
    )
    #expect(try store.merge(snapshot, into: Self.palette).refusal == nil)
    let last = Change(
      dot: Dot(author, Dot.lastSequence),
      stamp: Stamp(rawValue: .max),
      previous: 0,
      record: Self.sea,
      kind: .set,
      writes: [.init(.name, value: RegisterValue(text: "x"))]
    )
    let part = HistoryPart(last: Dot.lastSequence, sinceMilliseconds: nil, changes: [last.encoded])
    #expect(try store.mergeOldHistory([author: part], into: Self.palette) == .fork)
    #expect(try store.history(of: Self.palette).count == 5)
    // What comes next of that author comes never, whatever its number.
    #expect(try store.outline(of: Self.palette)?.rows.count == 5)
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func anySnapshotOfValidGrammar(seed: UInt64) throws {
    let hostile = HostileSnapshot(seed: seed, palette: Self.palette, own: store.node)
    _ = try store.merge(hostile.snapshot, into: Self.palette)
    try useEverything(of: store, seed)
    _ = try store.merge(hostile.snapshot, into: Self.palette)
    try useEverything(of: store, seed)
    let other = try ChangeStore(writing: libraries[1].folder, random: SeededRandom(seed: seed))
    if let snapshot = try store.snapshot(of: Self.palette) {
      #expect(try other.merge(snapshot, into: Self.palette).refusal == nil)
    }
    #expect(try other.digest() == store.digest(), "replay with seed \(seed)")
    try useEverything(of: other, seed)
  }

  private func useEverything(of store: ChangeStore, _ seed: UInt64) throws {
    let palette = Self.palette
    for change in try store.history(of: palette) {
      _ = Moment(milliseconds: change.stamp.milliseconds).description
    }
    for time in [0, 5, store.nowMilliseconds, 1 << 48, Int64.max] {
      guard case .known(let state) = try store.state(of: palette, atMilliseconds: time) else {
        continue
      }
      _ = (state.listed, state.name, state.isVisible)
    }
    for listed in try store.colors(of: palette) {
      _ = (listed.color.color.hex, "\(listed.color.color)", listed.color.color.lighter(by: 10).hex)
    }
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      let new = RecordID(high: 3, low: UInt64(writer.row.arrivals))
      let own = NamedColor(id: new, name: "own", color: Color(.srgb, 1, 0, 0))
      let edits = try writer.appending([own])
      try writer.act(edits)
      for id in try store.names(of: palette).map(\.id).prefix(2) {
        try writer.act([.set(id, [.name: RegisterValue(text: "edited \(seed)")])])
        try writer.act([.delete(id)])
      }
      for id in try store.names(of: palette, removed: true).map(\.id).prefix(2) {
        guard let place = try writer.shown(.place, of: id)?.value else { continue }
        try writer.act([.restore(id, [.place: place])])
      }
      _ = try ActionUndo(in: writer).undo()
      _ = try ActionUndo(in: writer).undo()
      _ = try ActionUndo(in: writer).redo()
      try writer.author(.drop(palette))
      try writer.author(.restore(palette.record, [.name: RegisterValue(text: "back")]))
    }
    var parts: [NodeID: HistoryPart] = [:]
    for (node, floor) in try store.floors(of: palette) {
      parts[node] = try store.oldHistory(of: palette, by: node, 1...floor, byteLimit: 1_000)
    }
    _ = try store.mergeOldHistory(parts, into: palette)
    _ = try store.changes(of: palette)
    _ = try store.changes(of: palette, after: try store.frontier(of: palette))
    _ = try store.nextChanges(of: palette, after: [:], byteLimit: 1_000)
    _ = try store.outline(of: palette)
    _ = try store.restamping(StampShift(milliseconds: 1 << 47, nowMilliseconds: 1 << 47))
    #expect(try store.verify(palette) == [], "replay with seed \(seed)")
    _ = try store.compact(palette, beforeMilliseconds: store.nowMilliseconds)
    #expect(try store.verify(palette) == [], "compacted, replay with seed \(seed)")
  }
}

/// A snapshot whose every number is as likely extreme as not.
private struct HostileSnapshot {
  private(set) var snapshot = Snapshot(
    frontier: [:],
    dropped: [:],
    highestWrite: [:],
    ahead: [],
    rows: []
  )
  private var random: SeededRandom
  private let own: NodeID
  private let records: [RecordID]

  init(seed: UInt64, palette: PaletteID, own: NodeID) {
    random = SeededRandom(seed: seed)
    self.own = own
    records = [palette.record] + (1...6).map { RecordID(high: 2, low: $0) }
    for _ in 0..<4 { snapshot.dropped[node()] = sequence() }
    for _ in 0..<4 { snapshot.highestWrite[node()] = sequence() }
    for _ in 0..<6 {
      let effect: PendingReference.Effect =
        switch Int.random(in: 0...7, using: &random) {
        case 6: .covered
        case 7: .dropped
        case let number: .replaced(Register(rawValue: UInt16(number)))
        }
      let mark = PendingReference(
        record: record(),
        dot: Dot(node(), sequence()),
        effect,
        proof: UInt32(truncatingIfNeeded: random.next())
      )
      snapshot.ahead.insert(mark)
    }
    for number in 1...5 as ClosedRange<UInt64> { addRow(by: NodeID(number), in: palette) }
    for _ in 0..<2 {
      snapshot.frontier[node()] = StreamHead(sequence: sequence(), link: random.next())
    }
  }

  private mutating func addRow(by author: NodeID, in palette: PaletteID) {
    let dot = Dot(author, sequence())
    let saw = Set((0..<3).map { _ in Dot(node(), sequence()) }).sorted().filter {
      $0.node != author || $0.sequence < dot.sequence
    }.map { SeenDot($0, proof: $0.node == author ? nil : 7) }
    let extreme =
      ([0, -1e308, 1e308, 1e-300, 360, 1e18] as [Double]).randomElement(using: &random) ?? 0
    let space = [ColorSpace.srgb, .oklch, .lab, .hsl].randomElement(using: &random) ?? .srgb
    let length = [1, 3, 1_018, 1_024].randomElement(using: &random) ?? 1
    let byte = ([0, 1, 255] as [UInt8]).randomElement(using: &random) ?? 0
    let change = Change(
      dot: dot,
      stamp: Stamp(rawValue: [0, 1, .max, .max - 1].randomElement(using: &random) ?? 0),
      previous: random.next(),
      record: record(),
      kind: .add,
      writes: [
        .init(.name, saw: saw, value: RegisterValue(text: "hostile")),
        .init(.color, value: RegisterValue(color: Color(space, extreme, 1e308, -extreme))),
        .init(.place, value: RegisterValue(placeBytes: [UInt8](repeating: byte, count: length))),
      ]
    )
    let bytes = change.encoded
    snapshot.rows.append(
      Snapshot.Row(bytes: bytes, live: [.name, .color, .place], isCovered: random.chance(0.3))
    )
    let isLast = random.chance(0.5)
    let link = isLast ? ChangeHash(of: bytes, in: palette).link : random.next()
    let reached = isLast ? dot.sequence : max(dot.sequence + 1, sequence())
    snapshot.frontier[author] = StreamHead(sequence: min(reached, Dot.lastSequence), link: link)
    if reached > Dot.lastSequence {
      snapshot.frontier[author] = StreamHead(
        sequence: Dot.lastSequence,
        link: ChangeHash(of: bytes, in: palette).link
      )
    }
  }

  private mutating func sequence() -> UInt32 {
    [1, 2, 6, 7, (1 << 28) - 1, 1 << 28, 1 << 31, Dot.lastSequence - 1, Dot.lastSequence]
      .randomElement(using: &random) ?? 1
  }

  private mutating func node() -> NodeID {
    random.chance(0.3) ? own : NodeID(.random(in: 1...7, using: &random))
  }

  private mutating func record() -> RecordID { records.randomElement(using: &random) ?? records[0] }
}
