import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PalettePeers
@testable import PaletteSync

/// The table of connections alone.
struct PeerLinksTests {
  private func link(dialed url: String? = nil) -> PeerLink {
    PeerLink(
      session: SyncSession(.acceptor, node: NodeID(1), library: RecordID(high: 0, low: 1)),
      url: url,
      address: url,
      endpoint: "",
      openedMilliseconds: 0,
      greetedIdentities: 1
    )
  }

  @Test func connectionsAreInOrderUntilTheyEnd() {
    let table = PeerLinks()
    for number in [3, 1, 2] as [UInt64] { table.add(LinkID(rawValue: number), link()) }
    #expect(table.ids.map(\.rawValue) == [1, 2, 3])
    #expect(table.all.map(\.id) == table.ids)
    #expect(table.remove(LinkID(rawValue: 2)) != nil)
    #expect(table.remove(LinkID(rawValue: 2)) == nil)
    #expect(table.count == 2 && table[LinkID(rawValue: 2)] == nil)
  }

  @Test func nobodyIsCountedOrPingedBeforeTheGreeting() {
    let table = PeerLinks()
    table.add(LinkID(rawValue: 1), link())
    #expect(table.greetedCount == 0 && table.ofLibrary.isEmpty)
    #expect(table.removeDuePings(at: 100_000).isEmpty)
  }

  @Test func onlySoManyRefusalsOfAConnectionAreLogged() {
    let link = link()
    let lines = (0..<20).compactMap { link.logLine(ofRefusal: "refused \($0)") }
    #expect(lines.count == 10)
    #expect(lines.last == "refused 9; further ones are not logged")
  }

  @Test func theTitleIsThePeersURL() {
    #expect(link().title == "a peer")
    #expect(link(dialed: "https://hub").title == "https://hub")
  }
}
