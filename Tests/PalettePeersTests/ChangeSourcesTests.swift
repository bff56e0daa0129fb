import PaletteModel
import PaletteTestSupport
import Testing

@testable import PalettePeers

struct ChangeSourcesTests {
  @Test(arguments: TestSeeds.some(of: 50))
  func tellsWhatADictionaryWould(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var sources = ChangeSources()
    var wanted: [Dot: PeerConnectionID] = [:]
    #expect(sources.isEmpty)
    for _ in 0..<20 {
      let node = NodeID(UInt64.random(in: 1...3, using: &random))
      let connection = PeerConnectionID(rawValue: UInt64.random(in: 1...2, using: &random))
      let first = UInt32.random(in: 1...30, using: &random)
      for sequence in first...first + UInt32.random(in: 0...9, using: &random) {
        sources.add(Dot(node, sequence), connection)
        wanted[Dot(node, sequence)] = connection
      }
    }
    for node in 1...4 as ClosedRange<UInt64> {
      for sequence in 0...50 as ClosedRange<UInt32> {
        let dot = Dot(NodeID(node), sequence)
        #expect(sources[dot] == wanted[dot], "replay with seed \(seed)")
      }
    }
  }

  /// A change is looked up in the runs of its author one by one, for each of thousands.
  @Test func authorsWhoTakeTurnsHaveARunEach() {
    var sources = ChangeSources()
    for sequence in 1...100 as ClosedRange<UInt32> {
      for node in 1...3 as ClosedRange<UInt64> {
        sources.add(Dot(NodeID(node), sequence), PeerConnectionID(rawValue: node % 2))
      }
    }
    #expect(sources.runCount == 3)
    // The same by way of another peer.
    sources.add(Dot(NodeID(1), 100), PeerConnectionID(rawValue: 0))
    #expect(sources.runCount == 4)
    #expect(sources[Dot(NodeID(1), 99)] == PeerConnectionID(rawValue: 1))
    #expect(sources[Dot(NodeID(1), 100)] == PeerConnectionID(rawValue: 0))
  }
}
