import PaletteModel
import Testing

@testable import PaletteSync

/// How many palettes are asked for at a time.
struct FrontierAsksTests {
  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 1, low: UInt64(number)))
  }

  @Test func whatIsNotToldYetIsGuessedFromWhatIs() {
    var asks = FrontierAsks()
    asks.add((0..<1_500).map(Self.palette))
    while asks.next() != nil {}
    #expect(asks.changesToCome == 1_500)
    for number in 0..<500 { asks.close(Self.palette(number), missing: 21) }
    #expect(asks.changesToCome == 1_000 * 21)
    // What was not asked for counts for nothing, and a lie for no more than a palette may have.
    asks.close(Self.palette(1_400), missing: .max)
    asks.close(Self.palette(500), missing: .max)
    #expect(asks.changesToCome == 999 * ((500 * 21 + 250_000) / 501))
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
