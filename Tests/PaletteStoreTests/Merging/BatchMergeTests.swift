import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Changes that are merged together amount to what they do one by one.
struct BatchMergeTests {
  private static let palette = PaletteID(RecordID(high: 7, low: 7))

  private func store(_ seed: UInt64, at library: TemporaryLibrary) throws -> ChangeStore {
    try ChangeStore(
      writing: library.folder,
      random: SeededRandom(seed: seed),
      milliseconds: { 1_000_000 + Int64(seed) }
    )
  }

  private func id(_ number: Int) -> RecordID {
    RecordID(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
  }

  private func add(_ number: Int) -> Edit {
    let values: KeyValuePairs<Register, RegisterValue> = [
      .name: RegisterValue(text: "color \(number)"),
      .color: RegisterValue(color: Color(.srgb, Double(number % 256) / 255, 0, 0)),
      .place: RegisterValue(placeBytes: [UInt8(1 + number % 200), UInt8(1 + number / 200)]),
    ]
    return .add(id(number), values)
  }

  private func act(_ edits: [Edit], in store: ChangeStore) throws {
    try store.write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: Self.palette)
      for edit in edits { try palette.act([edit]) }
    }
  }

  /// Edits of some of the colors, of all kinds, and colors that are made and edited at once.
  private func edits(_ seed: UInt64, of count: Int, _ edited: Int) -> [Edit] {
    var random = SeededRandom(seed: seed)
    var edits: [Edit] = []
    for step in 0..<edited {
      let target = id(Int.random(in: 0..<count, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: edits.append(.delete(target))
      case 1: edits.append(.set(target, [.name: RegisterValue(text: "n\(step % 5)")]))
      case 2: edits.append(.set(target, [.note: RegisterValue(text: "seen by \(seed)")]))
      case 3:
        edits.append(.set(target, [.place: RegisterValue(placeBytes: [9, UInt8(step % 99)])]))
      case 4:
        let number = count + step + Int(seed) * 10_000
        edits.append(add(number))
        edits.append(.set(id(number), [.name: RegisterValue(text: "again")]))
      default:
        let color = Color(.srgb, 0, Double(step % 4) / 255, 0)
        edits.append(.set(target, [.color: RegisterValue(color: color)]))
      }
    }
    return edits
  }

  @Test(arguments: [(400, 500), (400, 120), (400, 20), (20, 300)])
  func amountsToTheSame(colors: Int, edited: Int) throws {
    let libraries = try (0..<3).map { _ in try TemporaryLibrary() }
    let ann = try store(1, at: libraries[0])
    let bob = try store(2, at: libraries[1])
    let cleo = try store(3, at: libraries[2])
    try act((0..<colors).map(add), in: ann)
    let base = try #require(try ann.changes(of: Self.palette))
    for store in [bob, cleo] { try store.merge(base, into: Self.palette) }
    try act(edits(1, of: colors, edited), in: ann)
    try act(edits(2, of: colors, edited), in: bob)
    let others = try #require(
      try bob.changes(of: Self.palette, after: try ann.frontier(of: Self.palette))
    )
    for bytes in others { try ann.merge([bytes], into: Self.palette) }
    let all = try #require(try ann.changes(of: Self.palette))
    // What is held already comes once more, and something broken is among it.
    for store in [bob, cleo] {
      let arrivals = try store.merge(
        all.prefix(colors + edited) + [[1, 2]] + all,
        into: Self.palette
      )
      let refused = arrivals.filter { if case .refused = $0 { true } else { false } }
      #expect(refused.count == 1)
      #expect(try store.digest() == ann.digest())
      #expect(try store.verify(Self.palette).isEmpty)
      #expect(
        try store.colors(of: Self.palette).map(\.color.name)
          == ann.colors(of: Self.palette).map(\.color.name)
      )
    }
  }
}
