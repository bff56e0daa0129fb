import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

struct ImportPairingTests {
  private let red = Color(red8: 255, green8: 0, blue8: 0)
  private let green = Color(red8: 0, green8: 255, blue8: 0)
  private let blue = Color(red8: 0, green8: 0, blue8: 255)

  private func indexes(_ entries: [FileEntry], _ colors: [NamedColor]) -> [Int?] {
    let written = colors.map { FileEntry(name: $0.name, color: $0.color) }
    return ImportPairing(of: entries, with: colors, asWritten: written).colorIndexes
  }

  @Test func pairsByIdFirst() {
    let colors = [Samples.named(1, "A", red), Samples.named(2, "B", blue)]
    let entries = [
      FileEntry(id: Samples.id(2), name: "A", color: red),
      FileEntry(id: Samples.id(7), name: "A", color: green),
      FileEntry(id: Samples.id(2), name: "C", color: green),
    ]
    #expect(indexes(entries, colors) == [1, 0, nil])
  }

  @Test func pairsByNameAndOccurrence() {
    let colors = [
      Samples.named(1, "A", red), Samples.named(2, "A", blue), Samples.named(3, "B", red),
    ]
    let entries = ["B", "A", "A", "A"].map { FileEntry(name: $0, color: green) }
    #expect(indexes(entries, colors) == [2, 0, 1, nil])
  }

  @Test func pairsByEqualColorLast() {
    let colors = [
      Samples.named(1, "A", red), Samples.named(2, "B", red), Samples.named(3, "C", blue),
    ]
    let entries = [
      FileEntry(color: red), FileEntry(name: "A", color: blue), FileEntry(name: "X", color: blue),
      FileEntry(color: red),
    ]
    #expect(indexes(entries, colors) == [1, 0, 2, nil])
  }

  @Test func comparesNamesByteForByte() {
    let colors = [Samples.named(1, "e\u{301}", red), Samples.named(2, "\u{E9}", blue)]
    #expect(indexes([FileEntry(name: "\u{E9}", color: green)], colors) == [1])
  }

  @Test func pairsRoundedColors() {
    let fine = Color(.oklch, 0.7, 0.1, 200)
    let rounded = Color(hex: fine.hex.dropFirst()) ?? red
    let colors = [Samples.named(1, "A", fine), Samples.named(2, "B", red)]
    let first = FileEntry(color: red)
    #expect(indexes([first, FileEntry(color: rounded, isRounded: true)], colors) == [1, 0])
    #expect(indexes([first, FileEntry(color: rounded)], colors) == [1, nil])
  }

  /// What nothing else tells apart is what stands at the same place between two that are known.
  @Test func pairsByPlaceBetweenPairs() {
    let colors = [red, green, blue].enumerated().map {
      Samples.named(UInt64($0.offset), "n\($0.offset)", $0.element)
    }
    let gray = Color(red8: 7, green8: 7, blue8: 7)
    func pairs(_ list: Color...) -> [Int?] { indexes(list.map { FileEntry(color: $0) }, colors) }
    #expect(pairs(red, gray, blue) == [0, 1, 2])
    #expect(pairs(gray, green, blue) == [0, 1, 2])
    #expect(pairs(red, green, gray) == [0, 1, 2])
    #expect(pairs(red, gray, green, blue) == [0, nil, 1, 2])
    #expect(pairs(red, gray, gray, blue) == [0, 1, nil, 2])
    #expect(pairs(gray) == [0])
    #expect(pairs(blue, gray, red) == [2, nil, 0])
    #expect(indexes([FileEntry(id: Samples.id(77), color: gray)], colors) == [nil])
  }

  @Test func pairsEqualNamesByOccurrence() {
    let colors = (0..<100_000).map { Samples.named($0, "color \($0 % 1000)", red) }
    let entries = (0..<100_000).map { FileEntry(name: "color \($0 % 777)", color: red) }
    #expect(Set(indexes(entries, colors)).count == 100_000)
  }

  @Test(arguments: TestSeeds.some(of: 200))
  func pairsEachOnce(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let colors = (0..<random.below(30)).map {
      Samples.named(UInt64($0), name(&random), color(&random))
    }
    let entries = (0..<random.below(30)).map { _ in
      FileEntry(
        id: random.below(3) == 0 ? Samples.id(UInt64(random.below(40))) : nil,
        name: random.below(2) == 0 ? name(&random) : nil,
        color: color(&random)
      )
    }
    let indexes = indexes(entries, colors)
    let paired = indexes.compactMap(\.self)
    #expect(Set(paired).count == paired.count, "replay with seed \(seed)")
    let free = Set(colors.indices).subtracting(paired)
    for (entry, index) in zip(entries, indexes) where index == nil {
      let candidates = free.map { colors[$0] }
      let hasMatch = candidates.contains {
        $0.id == entry.id || $0.name == entry.name || $0.color == entry.color
      }
      #expect(!hasMatch, "replay with seed \(seed)")
    }
  }

  private func name(_ random: inout SeededRandom) -> String { ["A", "B", "C"][random.below(3)] }

  private func color(_ random: inout SeededRandom) -> Color { [red, green, blue][random.below(3)] }
}
