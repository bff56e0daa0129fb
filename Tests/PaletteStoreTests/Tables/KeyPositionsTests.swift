import Testing

@testable import PaletteStore

struct KeyPositionsTests {
  /// More than eight keys are hashed, and those too that came before.
  @Test func everyKeyIsFoundWhereItCame() {
    var positions = KeyPositions<Int64>()
    let keys = (1...40).map { Int64($0) * 7_919 % 101 }
    for (position, key) in keys.enumerated() {
      #expect(positions.position(of: key) == nil)
      #expect(positions.append(key) == position)
      let found = keys[...position].map { positions.position(of: $0) }
      #expect(found == Array(0...position))
    }
  }
}
