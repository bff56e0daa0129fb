import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// Very many small palettes, of which one side holds nothing.
struct WholePaletteTests {
  private static let count = 120

  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 5, low: UInt64(number) &* 0x9E37_79B9_7F4A_7C15))
  }

  private static let palettes = (0..<count).map(palette)

  private func name(_ palette: PaletteID, _ text: String) -> Edit {
    .add(palette.record, [.name: RegisterValue(text: text)])
  }

  private func color(_ number: Int, note: String = "n") -> Edit {
    .add(
      RecordID(high: 7, low: UInt64(number)),
      [
        .name: RegisterValue(text: "c\(number)"), .note: RegisterValue(text: note),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [UInt8(1 + number)]),
      ]
    )
  }

  /// Two libraries, of which the first has all there is.
  private func fleet(seed: UInt64, features: [String]? = nil) throws -> SessionFleet {
    let fleet = SessionFleet(count: 2, seed: seed)
    fleet.features = features
    for (number, palette) in Self.palettes.enumerated() {
      try fleet.author(name(palette, "P\(number)"), in: palette, at: 0, 1)
      for color in 0..<3 { try fleet.author(self.color(color), in: palette, at: 0, 2) }
    }
    return fleet
  }

  private func expectEqual(_ fleet: SessionFleet, _ comment: Comment) {
    for palette in Self.palettes {
      let digest = fleet.libraries[0].digest(of: palette)
      #expect(digest != .zero && digest == fleet.libraries[1].digest(of: palette), comment)
    }
    #expect(fleet.diverged == 0 && fleet.caughtUp == 2, comment)
    #expect(fleet.closeReasons == [], comment)
  }

  @Test(arguments: 0..<4 as Range<Int>)
  func theyGoManyInAFrame(seed: Int) throws {
    let fleet = try fleet(seed: UInt64(seed))
    // Whoever lacks them dials, or is dialed.
    try fleet.connect(seed % 2, to: 1 - seed % 2)
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
    #expect(fleet.wholePalettes == Self.count && fleet.wholeFrames < Self.count / 5)
    #expect(fleet.packedFrames == 0)
    // The lists of palettes and what is lacking say all that there is to ask.
    #expect(fleet.frontierFrames == 0)
    for palette in Self.palettes where seed % 2 == 1 {
      #expect(fleet.stated[1]?[palette]?.count == 1)
    }
  }

  @Test(arguments: [[], ["whole-palettes"], ["packed-changes"]])
  func aPeerWithoutTheFeatureIsAskedForEach(features: [String]) throws {
    let fleet = try fleet(seed: 3, features: features)
    try fleet.connect(1, to: 0)
    try fleet.settle()
    expectEqual(fleet, "\(features)")
    #expect(fleet.wholePalettes == 0)
  }

  @Test func otherPalettesComeAmongThemAsEver() throws {
    let fleet = try fleet(seed: 4)
    let long = String(repeating: "long ", count: 3_000)
    for (number, palette) in Self.palettes.enumerated() where number % 20 == 0 {
      for color in 10..<16 {
        try fleet.author(self.color(color, note: long), in: palette, at: 0, 3)
      }
    }
    for (number, palette) in Self.palettes.enumerated() where number % 20 == 7 {
      fleet.libraries[0].compacted.insert(palette)
    }
    try fleet.connect(1, to: 0)
    try fleet.settle()
    expectEqual(fleet, "")
    #expect(fleet.wholePalettes == Self.count - 12)
    #expect(fleet.packedSnapshots == 6 && fleet.packedFrames >= 6)
  }

  @Test(arguments: TestSeeds.some(of: 8))
  func editsMeanwhileAreLostNowhere(seed: UInt64) throws {
    let fleet = try fleet(seed: seed)
    var random = SeededRandom(seed: seed)
    try fleet.connect(Int(seed % 2), to: 1 - Int(seed % 2))
    for number in 0..<60 {
      try fleet.run(steps: 2)
      let palette = Self.palettes[Int(random.next() % UInt64(Self.count))]
      let owner = Int(random.next() % 2)
      try fleet.author(color(100 + number), in: palette, at: owner, 4)
    }
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
  }

  @Test func aDamagedChangeKeepsNoOtherPaletteBack() throws {
    let fleet = try fleet(seed: 5)
    let damaged = Self.palettes[5]
    let dot = try #require(fleet.libraries[0].log[damaged]?[1].dot)
    fleet.libraries[0].log[damaged]?[1] = OutgoingChange(dot: dot, bytes: ChangeBytes([0]))
    try fleet.connect(1, to: 0)
    try fleet.settle()
    for palette in Self.palettes where palette != damaged {
      let digest = fleet.libraries[0].digest(of: palette)
      #expect(digest == fleet.libraries[1].digest(of: palette))
    }
    #expect(fleet.wholePalettes == Self.count - 1)
    #expect(fleet.nacks.contains("malformed") && fleet.closeReasons == [])
  }

  @Test func othersNamesInThemAreRefused() throws {
    let fleet = SessionFleet(count: 2, seed: 6)
    try fleet.connect(0, to: 1, role: .editor)
    try fleet.settle()
    let (own, stranger) = (MemoryLibrary(NodeID(1)), MemoryLibrary(NodeID(99)))
    var packer = WholePacker()
    for palette in Self.palettes.prefix(4).sorted() {
      let changes = [
        try own.author(name(palette, "own"), in: palette, at: 1),
        try stranger.author(color(1), in: palette, at: 1),
      ]
      try packer.add(palette, .zero, changes)
    }
    try fleet.inject(Frame.whole(packer.finish()).encoded)
    try fleet.settle()
    for palette in Self.palettes.prefix(4) {
      let held = fleet.libraries[1].frontier(of: palette)
      #expect(held[NodeID(99)] == nil && held[NodeID(1)]?.sequence == 1)
    }
    #expect(fleet.nacks == ["not-allowed", "not-allowed", "not-allowed", "not-allowed"])
    #expect(fleet.closeReasons == [])
  }

  @Test(arguments: [Role.viewer, .editor])
  func whoMayPushNoneEndsTheConnection(role: Role) throws {
    let fleet = SessionFleet(count: 2, seed: 7)
    let granted = role == .editor ? Self.palettes[1] : nil
    try fleet.connect(0, to: 1, role: role, palette: granted)
    try fleet.settle()
    var packer = WholePacker()
    let palette = Self.palettes[0]
    let change = try MemoryLibrary(NodeID(1)).author(name(palette, "x"), in: palette, at: 1)
    try packer.add(palette, .zero, [change])
    try fleet.inject(Frame.whole(packer.finish()).encoded)
    #expect(fleet.closeReasons.first?.hasPrefix("1002 changes from someone") == true)
    #expect(fleet.libraries[1].frontier(of: palette).isEmpty)
  }

  @Test func rowsThatAreNotThereMakeNoRoom() throws {
    let palette = Self.palettes[0]
    let change = try MemoryLibrary(NodeID(1)).author(name(palette, "x"), in: palette, at: 1)
    var packer = WholePacker()
    try packer.add(palette, .zero, [change])
    var whole = packer.finish()
    #expect(try whole.arrivals().map(\.changes.count) == [1])
    for rows in [2, 1 << 31] {
      whole.entries = [WholePalettes.Entry(palette: palette, digest: .zero, rows: rows)]
      #expect(throws: MalformedFrame.self) { try whole.arrivals() }
    }
    whole.entries = [palette, Self.palette(1)].sorted().map {
      WholePalettes.Entry(palette: $0, digest: .zero, rows: 1)
    }
    #expect(throws: MalformedFrame.self) { try whole.arrivals() }
  }

  @Test func listsThatAreNoListsAreNoFrames() throws {
    let (low, high) = (Self.palettes.prefix(2).min(), Self.palettes.prefix(2).max())
    let pair = [try #require(low), try #require(high)]
    #expect(try Frame(decoding: Frame.lacking(pair).encoded) == .lacking(pair))
    let rows = PackedChanges(plain: [], squeezed: [])
    func whole(_ palettes: [PaletteID]) -> Frame {
      let entries = palettes.map { WholePalettes.Entry(palette: $0, digest: .zero, rows: 1) }
      return .whole(WholePalettes(entries: entries, rows: rows))
    }
    let many = (0...SyncProtocol.lackingEntries).map {
      PaletteID(RecordID(high: 0, low: UInt64($0)))
    }
    for frame in [
      .lacking([]), .lacking(pair.reversed()), .lacking([pair[0], pair[0]]), .lacking(many),
      whole([]), whole(pair.reversed()), .acks([]),
    ] as [Frame] {
      #expect(throws: MalformedFrame.self) { try Frame(decoding: frame.encoded) }
    }
  }
}
