import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Places that leave no room beside them: nobody can keep others from adding colors.
struct HostilePlacesTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private let library: TemporaryLibrary
  private let store: ChangeStore

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: 1))
  }

  private static func color(_ number: UInt64) -> NamedColor {
    NamedColor(
      id: RecordID(high: 3, low: number),
      name: "c\(number)",
      color: Color(.srgb, 0, 0, 1)
    )
  }

  /// Adds colors of a stranger at places, and gives them in the order of the list.
  private func add(_ places: [[UInt8]]) throws -> [ListedColor] {
    var changes: [[UInt8]] = []
    var previous: UInt64 = 0
    for (number, place) in places.enumerated() {
      let change = Change(
        dot: Dot(NodeID(7), UInt32(number + 1)),
        stamp: Stamp(milliseconds: 1),
        previous: previous,
        record: RecordID(high: 2, low: UInt64(number)),
        kind: .add,
        writes: [
          .init(.name, value: RegisterValue(text: "h\(number)")),
          .init(.color, value: RegisterValue(color: Color(.srgb, 1, 0, 0))),
          .init(.place, value: RegisterValue(placeBytes: place)),
        ]
      )
      changes.append(change.encoded)
      previous = ChangeHash(of: change.encoded, in: Self.palette).link
    }
    try store.merge(changes, into: Self.palette)
    return try store.colors(of: Self.palette)
  }

  private func write(_ body: (PaletteWriter) throws(StoreError) -> [Edit]) throws {
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: Self.palette)
      try writer.act(try body(writer))
    }
  }

  private var ids: [RecordID] { get throws { try store.colors(of: Self.palette).map(\.color.id) } }

  @Test func appendingBehindTheLastPlaceThereIs() throws {
    let last = [UInt8](repeating: 0xFF, count: 1_024)
    let before = try add([[1], last, last]).map(\.color.id)
    for number in 1...3 as ClosedRange<UInt64> {
      try write { (writer) throws(StoreError) in try writer.appending([Self.color(number)]) }
    }
    #expect(try ids == before + (1...3).map { Self.color($0).id })
    // It moved once, visibly; from then on there is room.
    #expect(try store.colors(of: Self.palette).allSatisfy { $0.place.bytes.count < 100 })
    #expect(try store.history(of: Self.palette).count == 3 + 2 + 3)
    #expect(try store.verify(Self.palette) == [])
    // Undoing the addition undoes the move that came with it.
    for _ in 1...3 {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.undo(in: Self.palette)
      }
    }
    #expect(try ids == before)
  }

  @Test func appendingBehindAHiddenColor() throws {
    let last = [UInt8](repeating: 0xFF, count: 1_024)
    let before = try add([[1], last]).map(\.color.id)
    try write { _ in [.delete(before[1])] }
    try write { (writer) throws(StoreError) in try writer.appending([Self.color(1)]) }
    #expect(try ids == [before[0], Self.color(1).id])
    #expect(try store.history(of: Self.palette).count == 4)
    try write { _ in [.restore(before[1], [.place: RegisterValue(placeBytes: last)])] }
    #expect(try ids == [before[0], Self.color(1).id, before[1]])
    try write { (writer) throws(StoreError) in try writer.appending([Self.color(2)]) }
    #expect(try ids == [before[0], Self.color(1).id, before[1], Self.color(2).id])
  }

  /// Places near which there is little room, or none.
  private static func places(_ random: inout SeededRandom) -> [[UInt8]] {
    var places: [[UInt8]] = []
    while places.count < 9 {
      let byte: UInt8 =
        ([0, 0, 1, 127, 254, 255, 255, 255] as [UInt8]).randomElement(using: &random) ?? 0
      let count =
        [1, 2, 3, 1_016, 1_017, 1_018, 1_019, 1_023, 1_024].randomElement(using: &random) ?? 1
      var place = [UInt8](repeating: byte, count: count)
      if random.chance(0.3) { place[count - 1] &+= 1 }
      if random.chance(0.3) { place[0] &+= 1 }
      places.append(place)
      if random.chance(0.3) { places.append(place) }
      if random.chance(0.3), count < 1_024 { places.append(place + [0]) }
      if random.chance(0.3), count < 1_024 { places.append(place + [255]) }
    }
    return places
  }

  @Test(arguments: TestSeeds.some(of: 80))
  func insertingAndMovingAnywhere(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try add(Self.places(&random))
    for number in 1...6 as ClosedRange<UInt64> {
      var expected = list.map(\.color.id)
      let index = Int.random(in: 0...list.count, using: &random)
      let added = [Self.color(2 * number), Self.color(2 * number + 1)]
      let present = list
      try write { (writer) throws(StoreError) in
        try writer.inserting(added, into: present, at: index)
      }
      expected.insert(contentsOf: added.map(\.id), at: index)
      #expect(try ids == expected, "replay with seed \(seed)")
      list = try store.colors(of: Self.palette)
      let start = list.indices.randomElement(using: &random) ?? 0
      let end = list.indices.randomElement(using: &random) ?? 0
      let moved = list
      try write { (writer) throws(StoreError) in try writer.moving(from: start, to: end, in: moved)
      }
      expected.insert(expected.remove(at: start), at: end)
      #expect(try ids == expected, "moved, replay with seed \(seed)")
      list = try store.colors(of: Self.palette)
    }
  }

  @Test(arguments: TestSeeds.some(of: 80))
  func anyOtherList(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let list = try add(Self.places(&random))
    var wanted = list.map(\.color).filter { _ in random.chance(0.8) }
    for number in 1...8 as ClosedRange<UInt64> {
      wanted.insert(Self.color(number), at: Int.random(in: 0...wanted.count, using: &random))
    }
    if random.chance(0.5), wanted.count > 1 {
      wanted.insert(wanted.removeLast(), at: Int.random(in: 0..<wanted.count, using: &random))
    }
    let diff = try PaletteDiff(from: list.map(\.color), to: wanted)
    try store.commit(diff, to: Self.palette)
    #expect(try ids == wanted.map(\.id), "replay with seed \(seed)")
    #expect(try store.verify(Self.palette) == [])
  }
}
