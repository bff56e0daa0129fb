import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

/// Changes with which a palette begins are known without being taken apart.
struct PaletteBeginningTests {
  private static let palettes = (1...3).map { PaletteID(RecordID(high: 5, low: $0)) }
  private static let nodes = (1...12).map { NodeID($0) }

  /// Colors of a palette by some authors in turn, as their changes.
  private func changes(
    _ count: Int,
    by nodes: [NodeID],
    in palette: PaletteID
  ) throws -> [[UInt8]] {
    var states: [NodeID: PaletteState] = [:]
    return try (0..<count).map { index in
      let node = nodes[index % nodes.count]
      let record =
        index == 0 ? palette.record : RecordID(high: palette.record.low, low: UInt64(count - index))
      let edit = Edit.add(record, [.name: RegisterValue(text: "color \(index)")])
      let stamp = Stamp(rawValue: UInt64(1_000 + index * 3 % 7))
      return try states[node, default: PaletteState(palette)].author(edit, by: node, at: stamp)
    }
  }

  private func pack(_ palettes: [[[UInt8]]]) throws -> (rows: PackedRows, authors: [NodeID]) {
    var packer = RowPacker()
    for (id, changes) in zip(Self.palettes, palettes) {
      packer.beginPalette()
      for bytes in changes {
        let dot = try Change(decoding: bytes, in: id).dot
        try bytes.withUnsafeBytes { try packer.add($0, dot) }
      }
    }
    return (packer.removeRows(), packer.authors)
  }

  private func arrivals(_ palettes: [[[UInt8]]]) throws -> [ArrivedChanges] {
    let (rows, authors) = try pack(palettes)
    let counts = zip(Self.palettes, palettes).map { (id: $0, rows: $1.count) }
    return try rows.arrivals(by: authors, in: counts, byteLimit: 1 << 20)
  }

  private func beginning(_ arrived: ArrivedChanges) -> PaletteBeginning? {
    if case .beginning(let beginning) = arrived.content { beginning } else { nil }
  }

  @Test(arguments: [1, 2, 8])
  func areTheChanges(authors: Int) throws {
    let sent = try Self.palettes.map {
      try changes(20, by: Array(Self.nodes.prefix(authors)), in: $0)
    }
    for (arrived, (palette, sent)) in zip(try arrivals(sent), zip(Self.palettes, sent)) {
      let beginning = try #require(self.beginning(arrived))
      var state = PaletteState(palette)
      for bytes in sent { #expect(try state.merge(bytes)) }
      #expect(arrived.changes.map(\.bytes.array) == sent)
      #expect(Array(arrived.dots) == arrived.changes.map(\.dot))
      #expect(arrived.heads == state.frontier)
      #expect(arrived.byteCount == sent.reduce(0) { $0 + $1.count })
      for (row, change) in zip(beginning.changes.rows, arrived.changes) {
        #expect(row.stamp == change.change?.stamp)
        #expect(row.hash == ChangeHash(of: change.bytes.array, in: palette))
      }
    }
  }

  @Test func moreAuthorsThanAreLookedForAreTakenApart() throws {
    let sent = try [changes(20, by: Self.nodes, in: Self.palettes[0])]
    let arrived = try #require(try arrivals(sent).first)
    #expect(beginning(arrived) == nil)
    #expect(arrived.changes.map(\.bytes.array) == sent[0])
  }

  /// What lacks its author's first change, or one in the middle, has to be refused one by one.
  @Test(arguments: [0, 2, 7])
  func whatLacksAChangeIsTakenApart(_ missing: Int) throws {
    var sent = try changes(12, by: Array(Self.nodes.prefix(2)), in: Self.palettes[0])
    sent.remove(at: missing)
    let whole = try changes(3, by: [Self.nodes[0]], in: Self.palettes[1])
    let arrived = try arrivals([sent, whole])
    #expect(beginning(arrived[0]) == nil)
    #expect(arrived[0].changes.map(\.bytes.array) == sent)
    #expect(arrived[0].changes.allSatisfy { $0.change?.dot == $0.dot })
    #expect(beginning(arrived[1]) != nil)
    #expect(arrived[1].changes.map(\.bytes.array) == whole)
  }

  @Test func anEditOfARecordIsTakenApart() throws {
    var state = PaletteState(Self.palettes[0])
    let record = RecordID(high: 1, low: 1)
    let stamp = Stamp(rawValue: 9)
    let sent = try [
      state.author(.add(record, [.name: RegisterValue(text: "a")]), by: Self.nodes[0], at: stamp),
      state.author(.set(record, [.name: RegisterValue(text: "b")]), by: Self.nodes[0], at: stamp),
    ]
    let arrived = try #require(try arrivals([sent]).first)
    #expect(beginning(arrived) == nil)
    #expect(arrived.changes.map(\.bytes.array) == sent)
  }

  /// Two authors may make the same record, which one row cannot hold.
  @Test func aRecordThatIsMadeTwiceIsTakenApart() throws {
    let record = RecordID(high: 1, low: 1)
    var rows = PackedRows()
    for node in Self.nodes.prefix(2) {
      var state = PaletteState(Self.palettes[0])
      let edit = Edit.add(record, [.name: RegisterValue(text: "by \(node)")])
      let bytes = try state.author(edit, by: node, at: Stamp(rawValue: 9))
      var packer = RowPacker(authors: Array(Self.nodes.prefix(2)))
      try bytes.withUnsafeBytes { try packer.add($0, Dot(node, 1)) }
      let one = packer.removeRows()
      rows.count += 1
      for column in [
        \PackedRows.plain, \.shapes, \.numbers, \.stamps, \.places, \.texts,
      ] as [WritableKeyPath<PackedRows, [UInt8]>] {
        rows[keyPath: column] += one[keyPath: column]
      }
    }
    let arrived = try rows.arrivals(
      by: Array(Self.nodes.prefix(2)),
      in: [(Self.palettes[0], 2)],
      byteLimit: 1 << 20
    )
    #expect(beginning(arrived[0]) == nil)
    #expect(arrived[0].changes.compactMap { $0.change?.record } == [record, record])
  }
}
