import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Who is where, against a list of all that was said.
struct PresenceIndexTests {
  @Test(arguments: TestSeeds.some(of: 16))
  func tellsWhoeverIsConcerned(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let table = PresenceTable()
    var now: Int64 = 1_000_000
    var stated: [Presence.Who: (presence: Presence, connection: UInt64)] = [:]
    // Where peers believe that a view is.
    var told: [Presence.Who: PaletteID] = [:]
    func palette(_ number: Int) -> PaletteID { PaletteID(RecordID(high: 1, low: UInt64(number))) }
    for _ in 0..<150 {
      now += Int64.random(in: 0..<2_000, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let connection = UInt64.random(in: 0..<4, using: &random)
        table.end(PeerConnectionID(rawValue: connection), at: now)
        for (who, entry) in stated
        where entry.connection == connection && entry.presence.palette != nil {
          let gone = entry.presence.gone(milliseconds: entry.presence.milliseconds + 1)
          stated[who] = (gone, connection)
        }
      case 1, 2:
        for (presence, _, palettes) in table.removeNews() {
          #expect(presence == stated[presence.who]?.presence)
          if let former = told[presence.who] { #expect(palettes.contains(former)) }
          if let palette = presence.palette { #expect(palettes.contains(palette)) }
          told[presence.who] = presence.palette
        }
        for (who, entry) in stated { #expect(told[who] == entry.presence.palette) }
      default:
        let who = Presence.Who(node: NodeID(1), session: UInt64.random(in: 0..<12, using: &random))
        let connection = UInt64.random(in: 0..<4, using: &random)
        let number = Int.random(in: -1..<4, using: &random)
        let presence = Presence(
          who: who,
          name: "view \(number)",
          milliseconds: (stated[who]?.presence.milliseconds ?? 0) + 1,
          palette: number < 0 ? nil : palette(number)
        )
        table.hear(presence, from: PeerConnectionID(rawValue: connection), of: .member(1), at: now)
        stated[who] = (presence, connection)
      }
      for number in 0..<4 {
        let here = stated.values.map(\.presence).filter { $0.palette == palette(number) }
        #expect(Set(table.views(of: palette(number))) == Set(here))
      }
      let scope = Scope.palettes([palette(1), palette(2)])
      #expect(
        table.present(in: scope) == table.present.filter { $0.palette.map(scope.covers) == true }
      )
    }
  }

  @Test func whoIsSilentGoesAndWhoIsHereStays() {
    let table = PresenceTable()
    let palette = PaletteID(RecordID(high: 1, low: 1))
    let (own, other) = (
      Presence.Who(node: NodeID(1), session: 1), Presence.Who(node: NodeID(2), session: 1)
    )
    table.state(own, name: "own", palette: palette, selection: nil, at: 0)
    table.hear(
      Presence(who: other, name: "other", milliseconds: 1, palette: palette),
      from: PeerConnectionID(rawValue: 1),
      of: .member(1),
      at: 0
    )
    _ = table.removeNews()
    var statements = 0
    for second in 1...59 as ClosedRange<Int64> {
      table.refresh(at: second * 1_000)
      statements += table.removeNews().count
    }
    // Every 20 seconds.
    #expect(statements == 2)
    #expect(table.views(of: palette).count == 2)
    table.refresh(at: 60_000)
    #expect(table.views(of: palette).map(\.name) == ["own"])
    table.end(own, at: 61_000)
    #expect(table.views(of: palette).isEmpty)
    for second in 62...200 as ClosedRange<Int64> { table.refresh(at: second * 1_000) }
    #expect(table.present.isEmpty)
  }
}
