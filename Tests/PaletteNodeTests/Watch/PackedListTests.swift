import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteNode
@testable import PaletteStore

struct PackedListTests {
  private static func color(_ random: inout SeededRandom) throws -> ListedColor {
    func component() -> Double? {
      Int.random(in: 0..<5, using: &random) == 0 ? nil : .random(in: -400...400, using: &random)
    }
    let space = ColorSpace.allCases.randomElement(using: &random) ?? .srgb
    let alphas: [Double?] = [nil, 0, 0.5, 1]
    let alpha = alphas.randomElement(using: &random) ?? 1
    let texts = ["", "a", "Füchse 🦊", String(repeating: "long ", count: 60)]
    let dots = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Dot(NodeID(using: &random), .random(in: 1...Dot.lastSequence, using: &random))
    }
    let length = Int.random(in: 1...200, using: &random)
    let place = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    return ListedColor(
      color: NamedColor(
        id: RecordID(using: &random),
        name: texts.randomElement(using: &random) ?? "",
        color: Color(space, component(), component(), component(), alpha: alpha),
        note: texts.randomElement(using: &random) ?? ""
      ),
      place: try #require(Place(bytes: place)),
      conflicts: (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        Register(rawValue: .random(in: 0...UInt16.max, using: &random))
      },
      seen: SeenValues(dots)
    )
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func givesBackWhatWasPacked(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 0..<40, using: &random)
    let colors = try (0..<count).map { _ in try Self.color(&random) }
    let packed = PackedList(colors)
    #expect(packed.count == colors.count)
    // The textual form has every field, and every bit of the numbers.
    #expect(packed.colors.map { "\($0)" } == colors.map { "\($0)" })
  }

  /// What a watched palette may take that nobody changes.
  @Test func twoHundredColorsTakeLessThanTwentyKilobytes() throws {
    var random = SeededRandom(seed: 1)
    let colors = try (0..<200).map { index in
      ListedColor(
        color: NamedColor(
          id: RecordID(using: &random),
          name: "color \(index)",
          color: Color(.srgb, 1 / 3, 2 / 3, 1)
        ),
        place: try #require(Place(bytes: [1, 2, 3, 4, 5, 6, 7, 8])),
        conflicts: [],
        seen: SeenValues(Dot(NodeID(using: &random), UInt32(index + 1)))
      )
    }
    #expect(PackedList(colors).byteCount < 16_000)
  }

  @Test func listsThatWereNotUsedForLongArePacked() {
    var lists = OpenLists(colorLimit: 100)
    let ids = (1...4).map { PaletteID(RecordID(high: 0, low: $0)) }
    #expect(lists.use(ids[0], colors: 60).isEmpty)
    #expect(lists.use(ids[0], colors: 60).isEmpty)
    #expect(lists.use(ids[1], colors: 60).isEmpty)
    #expect(lists.use(ids[1], colors: 60).isEmpty)
    #expect(lists.use(ids[2], colors: 60) == [ids[0]])
    lists.remove(ids[1])
    #expect(lists.use(ids[3], colors: 60).isEmpty)
  }
}
