import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// A long exchange of changes: packed, sent once, by turns, and within limits.
struct CatchUpTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func color(_ number: Int, _ name: String = "c") -> Edit {
    .add(
      RecordID(high: 7, low: UInt64(number)),
      [
        .name: RegisterValue(text: "\(name)\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [UInt8(1 + number % 200)]),
      ]
    )
  }

  /// Two libraries that know each other, and edited apart since.
  private func fleet(edits: Int, seed: UInt64, features: [String]? = nil) throws -> SessionFleet {
    let fleet = SessionFleet(count: 2, seed: seed)
    fleet.features = features
    try fleet.author(.add(Self.palette.record, [.name: RegisterValue(text: "P")]), at: 0)
    for number in 0..<10 { try fleet.author(color(number), at: 0) }
    try fleet.connect(0, to: 1)
    try fleet.settle()
    fleet.cut()
    for number in 0..<edits {
      for owner in 0..<2 {
        let record = RecordID(high: 7, low: UInt64(number % 10))
        switch number % 5 {
        case 0: try fleet.author(color(100 + 2 * number + owner), at: owner)
        case 1: try fleet.author(.delete(record), at: owner)
        case 2:
          try fleet.author(.set(record, [Register(rawValue: 40): .init(text: "x")]), at: owner)
        case 3: try fleet.author(.drop(Self.palette), at: owner)
        default: try fleet.author(.set(record, [.note: .init(text: "n\(number)")]), at: owner)
        }
      }
    }
    return fleet
  }

  private func expectEqual(_ fleet: SessionFleet, _ comment: Comment) {
    #expect(
      fleet.libraries[0].digest(of: Self.palette) == fleet.libraries[1].digest(of: Self.palette)
    )
    #expect(fleet.diverged == 0, comment)
    #expect(fleet.closeReasons == [], comment)
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func everyChangeIsSentOnceAndPacked(seed: UInt64) throws {
    let fleet = try fleet(edits: 60, seed: seed)
    let before = fleet.arrivals
    try fleet.connect(Int(seed % 2), to: Int(1 - seed % 2))
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
    #expect(fleet.arrivals - before == 120, "replay with seed \(seed)")
    #expect(fleet.packedFrames >= 2)
  }

  @Test(arguments: [[], ["packed-snapshots"], ["presence"]])
  func aPeerWithoutTheFeatureIsServedPlainly(features: [String]) throws {
    let fleet = try fleet(edits: 60, seed: 3, features: features)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    expectEqual(fleet, "\(features)")
    #expect(fleet.packedFrames == 0)
  }

  @Test(arguments: [nil, []] as [[String]?])
  func aGapIsClosed(features: [String]?) throws {
    let fleet = try fleet(edits: 0, seed: 5, features: features)
    let held = fleet.libraries[1].image
    for number in 20..<30 { try fleet.author(color(number), at: 0) }
    try fleet.connect(0, to: 1)
    try fleet.settle()
    // The peer forgets what it said to hold, as a session never lets it; so the next one comes early.
    fleet.libraries[1].image = held
    try fleet.author(color(31), at: 0)
    try fleet.settle()
    expectEqual(fleet, "\(features ?? ["all"])")
  }

  @Test func longCatchUpsLeaveTurnsToOthers() throws {
    let fleet = try fleet(edits: 0, seed: 6)
    let note = String(repeating: "long ", count: 3_000)
    for number in 0..<60 {
      let record = RecordID(high: 7, low: UInt64(number % 10))
      try fleet.author(.set(record, [.note: RegisterValue(text: note)]), at: 0)
    }
    try fleet.connect(0, to: 1)
    try fleet.settle()
    expectEqual(fleet, "")
    #expect(fleet.pauses >= 2)
  }

  @Test func refusesAuthorsThatATokenDoesNotCover() throws {
    let fleet = try fleet(edits: 0, seed: 7)
    try fleet.connect(0, to: 1, role: .editor)
    try fleet.settle()
    let stranger = MemoryLibrary(NodeID(99))
    let before = fleet.libraries[1].frontier(of: Self.palette)
    var changes: [OutgoingChange] = []
    for number in 0..<3 {
      let edit = color(300 + number)
      changes.append(try stranger.author(edit, in: Self.palette, at: 5))
      changes.append(try fleet.libraries[0].author(edit, in: Self.palette, at: 6))
    }
    var rest = changes[...]
    let packed = try PackedChanges(first: &rest, payloadBytes: SyncProtocol.payloadBytes)
    try fleet.inject(Frame.packedChanges(Self.palette, packed).encoded)
    try fleet.settle()
    let after = fleet.libraries[1].frontier(of: Self.palette)
    #expect(after[NodeID(99)] == nil)
    #expect(after[NodeID(1)]?.sequence == (before[NodeID(1)]?.sequence ?? 0) + 3)
    #expect(fleet.nacks == ["not-allowed"])
  }

  @Test func refusesWhatUnpacksToTooMuch() throws {
    // 1 KiB of a place, and then rows that say no more than "the same once more".
    var rows = PackedRows()
    var packer = RowPacker()
    let state = MemoryLibrary(NodeID(1))
    for number in 0..<2 {
      let change = try state.author(
        .add(
          RecordID(high: 7, low: UInt64(number)),
          [.place: RegisterValue(placeBytes: [UInt8](repeating: 7, count: 1_024))]
        ),
        in: Self.palette,
        at: 1
      )
      try change.bytes.withUnsafeBytes { try packer.add($0, change.dot) }
      let row = packer.removeRows()
      if number == 0 {
        rows = row
        continue
      }
      for _ in 0..<1_000 {
        rows.count += row.count
        rows.plain += row.plain
        rows.shapes += row.shapes
        rows.numbers += row.numbers
        rows.stamps += row.stamps
        rows.places += row.places
      }
    }
    let head: [UInt8] = [0x81, 0x01]
    let large = PackedChanges(plain: rows.plain, squeezed: rows.squeezed(behind: head))
    #expect(large.squeezed.count < 16_384)
    #expect(throws: MalformedFrame.self) { try large.changes(in: Self.palette) }
    let zeros = PackedRows.bomb
    #expect(zeros.squeezed.count < 8_192)
    #expect(throws: MalformedFrame.self) { try zeros.changes(in: Self.palette) }
  }

  @Test func largeChangesFitIntoFrames() throws {
    var random = SeededRandom(seed: 8)
    let library = MemoryLibrary(NodeID(1))
    var changes: [OutgoingChange] = []
    for number in 0..<12 {
      // Nothing that squeezing would make shorter.
      let scalars = (0..<5_000).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0x4E00...0x9FFF, using: &random))
      }
      let note = String(String.UnicodeScalarView(scalars))
      let edit = Edit.set(
        RecordID(high: 7, low: UInt64(number)),
        [.name: RegisterValue(text: note), .note: RegisterValue(text: note)]
      )
      changes.append(try library.author(edit, in: Self.palette, at: 1))
    }
    var rest = changes[...]
    var unpacked: [ArrivedChange] = []
    while !rest.isEmpty {
      let packed = try PackedChanges(first: &rest, payloadBytes: SyncProtocol.payloadBytes)
      let frame = Frame.packedChanges(Self.palette, packed).encoded
      #expect(frame.count <= SyncProtocol.frameBytes)
      unpacked += try packed.changes(in: Self.palette)
    }
    #expect(unpacked.map(\.bytes) == changes.map(\.bytes))
  }
}

extension SessionFleet {
  fileprivate func author(_ edit: Edit, at owner: Int) throws {
    try author(edit, in: CatchUpTests.palette, at: owner, 1)
  }
}

extension PackedRows {
  /// A little that would expand to a megabyte.
  fileprivate static var bomb: PackedChanges {
    PackedChanges(plain: [], squeezed: Deflate.squeeze([UInt8](repeating: 0, count: 1 << 20)))
  }
}
