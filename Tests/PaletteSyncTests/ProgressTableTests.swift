import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// What is left to do, against a search through all palettes.
struct ProgressTableTests {
  private static let push = PlainPush(
    SnapshotOutline(frontier: [:], dropped: [:], highestWrite: [:], ahead: [])
  )

  @Test(arguments: TestSeeds.some(of: 50))
  func knowsWhatIsLeft(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = ProgressTable()
    var states: [PaletteID: PaletteProgress] = [:]
    for _ in 0..<200 {
      let palette = PaletteID(RecordID(high: 1, low: UInt64.random(in: 0..<20, using: &random)))
      let choices: [PaletteProgress?] = [
        nil, .comparing, .pushing(sent: [:]), .pushingSnapshot(Self.push),
      ]
      let state = choices[Int.random(in: 0..<choices.count, using: &random)]
      table[palette] = state
      states[palette] = state
      #expect(table[palette] == state)
      let due = states.filter { $0.value != .comparing }.keys.sorted()
      let first = table.nextDue()
      #expect(first == due.first)
      #expect(table.isLive == states.isEmpty)
    }
    var order: [PaletteID] = []
    while let palette = table.nextDue() {
      order.append(palette)
      table[palette] = nil
    }
    #expect(order == states.filter { $0.value != .comparing }.keys.sorted())
  }
}
