import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Positions in long lists are found by an index, which is what the list says at every time.
struct PlaceIndexTests {
  private static let count = 2_100

  private func color(_ number: Int) -> NamedColor {
    NamedColor(
      id: RecordID(high: 9, low: UInt64(number)),
      name: "c\(number)",
      color: Color(.srgb, 0, 0, 1)
    )
  }

  @Test(arguments: [false, true])
  func insertsWhereTheListSays(keeps: Bool) throws {
    var random = SeededRandom(seed: 3)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: 4))
    if keeps { store.keepState() }
    let palette = try store.makePalette(named: "Long")
    let colors = (0..<Self.count).map { color($0) }
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(palette)
      if let writer { try writer.act(try writer.appending(colors)) }
    }
    var expected = colors.map(\.id)
    for step in 0..<40 {
      let index = [0, expected.count, 5, Int.random(in: 0...expected.count, using: &random)][
        step % 4
      ]
      let new = color(Self.count + step)
      let isInserted = try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette), let gap = try writer.gap(at: index),
          let edits = try writer.inserting([new], in: gap)
        else { return false }
        return try writer.act(edits)
      }
      #expect(isInserted)
      expected.insert(new.id, at: index)
      let other = Int.random(in: 0..<expected.count, using: &random)
      switch step % 4 {
      case 0:
        try store.act([.delete(expected[other])], in: palette)
        expected.remove(at: other)
      case 1: try store.act([.set(expected[other], [.name: RegisterValue(text: "x")])], in: palette)
      case 2:
        try store.write { transaction throws(StoreError) in
          _ = try transaction.undo(in: palette)
        }
        expected.remove(at: index)
      default:
        let list = try store.colors(of: palette)
        try store.write { transaction throws(StoreError) in
          guard let writer = try transaction.palette(palette) else { return }
          try writer.act(try writer.moving(from: other, to: 3, in: list))
        }
        expected.insert(expected.remove(at: other), at: 3)
      }
      #expect(try store.colors(of: palette).map(\.color.id) == expected, "step \(step)")
    }
    #expect(try store.verify() == [])
    // More than an index is kept for.
    let many = (0..<100).map { color(10_000 + $0) }
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(palette)
      if let writer { try writer.act(try writer.appending(many)) }
    }
    #expect(try store.verify() == [])
  }

  @Test func aShortListNeedsNoIndex() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let palette = try store.makePalette(named: "Short")
    let gap = try store.write { transaction throws(StoreError) in
      try transaction.palette(palette)?.gap(at: 0)
    }
    #expect(gap == nil)
  }
}
