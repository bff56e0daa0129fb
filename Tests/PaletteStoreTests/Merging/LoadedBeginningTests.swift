import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The beginning of a palette that is loaded amounts to its changes merged one by one.
struct LoadedBeginningTests {
  private static let palette = PaletteID(RecordID(high: 7, low: 7))

  private func color(_ number: Int, _ note: String? = nil) -> Edit {
    let record = RecordID(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
    let name = RegisterValue(text: "color \(number)")
    let color = RegisterValue(color: Color(.srgb, Double(number % 256) / 255, 0, 0))
    let place = RegisterValue(placeBytes: [UInt8(1 + number % 200), UInt8(1 + number / 200)])
    // One that lacks a register is hidden.
    if number % 11 == 10 { return .add(record, [.color: color, .place: place]) }
    guard let note else { return .add(record, [.name: name, .color: color, .place: place]) }
    let text = RegisterValue(text: note)
    return .add(record, [.name: name, .color: color, .place: place, .note: text])
  }

  private func act(_ edits: [Edit], in store: ChangeStore) throws {
    try store.write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: Self.palette)
      for edit in edits { try palette.act([edit]) }
    }
  }

  private func arrived(_ changes: [[UInt8]]) throws -> ArrivedChanges {
    var packer = RowPacker()
    for bytes in changes {
      let dot = try Change(decoding: bytes, in: Self.palette).dot
      try bytes.withUnsafeBytes { try packer.add($0, dot) }
    }
    let (rows, authors) = (packer.removeRows(), packer.authors)
    let counts = [(id: Self.palette, rows: changes.count)]
    return try rows.arrivals(by: authors, in: counts, byteLimit: 1 << 22)[0]
  }

  @Test(arguments: [(1, false), (20, true), (37, false), (300, true)])
  func amountsToTheSame(colors: Int, hasTitle: Bool) throws {
    let libraries = try (0..<4).map { _ in try TemporaryLibrary() }
    let stores = try (0..<4).map {
      try ChangeStore(
        writing: libraries[$0].folder,
        random: SeededRandom(seed: UInt64($0 + 1))
      )
    }
    for store in stores { store.followsCommits = true }
    let (ann, bob) = (stores[0], stores[1])
    let title = Edit.add(Self.palette.record, [.name: RegisterValue(text: "Sunrise")])
    try act((hasTitle ? [title] : []) + (0..<colors).map { color($0) }, in: ann)
    try act((0..<colors / 2).map { color(1_000 + $0, "from Bob") }, in: bob)
    let first = try #require(try ann.changes(of: Self.palette))
    let others = try #require(try bob.changes(of: Self.palette))
    let beginning = try arrived(first + others)
    guard case .beginning = beginning.content else {
      Issue.record("what only makes records is a beginning")
      return
    }
    // What comes behind it in the same transaction finds what was loaded.
    try act([.set(RecordID(high: 0, low: 0), [.name: RegisterValue(text: "new")])], in: ann)
    let later = try #require(try ann.changes(of: Self.palette)).dropFirst(first.count)
    #expect(later.count == 1)
    let (cleo, dora) = (stores[2], stores[3])
    try cleo.write { transaction throws(StoreError) in
      let parts = [
        beginning,
        ArrivedChanges(
          palette: Self.palette,
          changes: later.map { ArrivedChange(bytes: $0, in: Self.palette) }
        ),
      ]
      let arrivals = try transaction.palette(beginning: Self.palette).merge(parts)
      let merged = arrivals.filter { if case .merged = $0 { true } else { false } }
      #expect(merged.count == first.count + others.count + later.count)
    }
    for bytes in first + others + later { try dora.merge([bytes], into: Self.palette) }
    try expectSame(cleo, dora)
    let told = cleo.removeCommitted().flatMap { $0.changes.map(\.bytes.array) }
    #expect(told == first + others + later)
    for store in [cleo, dora] { try act([color(5_000), color(5_001, "last")], in: store) }
    #expect(
      try cleo.colors(of: Self.palette).map(\.color.name)
        == dora.colors(of: Self.palette).map(\.color.name)
    )
    #expect(try cleo.verify(Self.palette).isEmpty)
  }

  /// Who meets changes under its own id that it does not hold goes on under another one.
  @Test func anOwnIDThatComesBackIsGivenUp() throws {
    let libraries = try (0..<2).map { _ in try TemporaryLibrary() }
    // The same random numbers make the same ids.
    let stores = try libraries.map {
      try ChangeStore(writing: $0.folder, random: SeededRandom(seed: 1))
    }
    let node = stores[0].node
    #expect(stores[1].node == node)
    try act([color(1)], in: stores[0])
    let parts = [try arrived(#require(try stores[0].changes(of: Self.palette)))]
    try stores[1].write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: Self.palette).merge(parts)
    }
    #expect(stores[1].node != node)
  }

  private func expectSame(_ one: ChangeStore, _ other: ChangeStore) throws {
    #expect(try one.verify(Self.palette).isEmpty)
    #expect(try one.digest() == other.digest())
    #expect(try one.frontier(of: Self.palette) == other.frontier(of: Self.palette))
    #expect(try one.changes(of: Self.palette) == other.changes(of: Self.palette))
    #expect(try one.summary(of: Self.palette) == other.summary(of: Self.palette))
    #expect(
      try one.colors(of: Self.palette, withSeen: true).map { "\($0)" }
        == other.colors(of: Self.palette, withSeen: true).map { "\($0)" }
    )
  }
}
