import PaletteModel
import Testing

@testable import PaletteSync

/// How many palettes are asked for at a time.
struct FrontierAsksTests {
  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 1, low: UInt64(number)))
  }

  @Test func asksForAllInOrderAndForFewAtATime() {
    var asks = FrontierAsks()
    asks.add((0..<5_000).map(Self.palette))
    var asked: [PaletteID] = []
    while let palette = asks.next() { asked.append(palette) }
    #expect(asked.count == FrontierAsks.limit)
    // What nobody asked for, or is answered twice, makes no room.
    asks.close(Self.palette(4_999))
    let early = asks.next()
    #expect(early == nil)
    for number in 0..<5_000 {
      asks.close(Self.palette(number))
      asks.close(Self.palette(number))
      if let palette = asks.next() { asked.append(palette) }
    }
    #expect(asked == (0..<5_000).map(Self.palette))
    let late = asks.next()
    #expect(late == nil)
  }
}
