import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Hubs that show changes under ids of a library which it never made.
struct ForgedIDTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  @Test func aHubHasItsMemberTakeABoundedNumberOfIDs() throws {
    let fleet = try CoreFleet(count: 2, seed: 3)
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    let store = fleet.members[1].store
    let before = store.identities.count
    for number in 0..<20 as Range<UInt64> {
      // The connection begins anew after each.
      let connection = try #require(try fleet.connection(of: 1))
      let change = Change(
        dot: Dot(store.node, 1),
        stamp: Stamp(milliseconds: fleet.clock.milliseconds),
        previous: 0,
        record: RecordID(high: 9, low: number),
        kind: .add,
        writes: [Change.Write(.name, value: RegisterValue(text: "forged"))]
      )
      let frame = Frame.changes(Self.palette, store.node, first: 1, [change.encoded])
      try fleet.carryOut(fleet.members[1].core.handle(.received(connection, frame.encoded)), of: 1)
      try fleet.deliver(limit: 1_000)
    }
    #expect(store.identities.count - before <= 8)
    #expect(store.identities.count > before)
  }
}
