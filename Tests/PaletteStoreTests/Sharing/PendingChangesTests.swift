import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What is pending of one palette is what is pending of it among all.
struct PendingChangesTests {
  @Test func onePaletteIsCountedAsAmongAll() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let urls = ["ws://a", "ws://b"]
    for url in urls { try store.peers.save(Self.peer(url)) }
    let palettes = try (0..<3).map { try store.makePalette(named: "P\($0)") }
    for name in ["Q", "R"] { try rename(palettes[0], name, in: store) }
    try rename(palettes[1], "S", in: store)

    try store.peers.record([
      statement(urls[0], palettes[0], 1, store), statement(urls[1], palettes[0], 2, store),
      statement(urls[0], palettes[1], 2, store),
    ])

    let expected: [(peers: [String], counts: [Int])] = [
      ([], [0, 0, 0]), ([urls[0]], [2, 0, 1]), ([urls[1]], [1, 2, 1]), (urls, [1, 0, 1]),
    ]
    for (peers, counts) in expected {
      let all = try store.pendingChanges(at: peers.map(Self.peer))
      #expect(palettes.map { all.inPalettes[$0] ?? 0 } == counts)
      #expect(try palettes.map { try store.pending(of: $0, at: peers) } == counts)
      for (palette, count) in zip(palettes, counts) {
        let one = try store.pendingChanges(at: peers.map(Self.peer), of: palette)
        #expect(one.inPalettes[palette] ?? 0 == count)
      }
    }
    let all = try store.pendingChanges(at: urls.map(Self.peer))
    #expect(all.atPeers == [urls[0]: 3, urls[1]: 4])
    let viewer = StoredPeer(url: urls[0], addresses: [], grants: [Grant(.viewer)])
    #expect(try store.pendingChanges(at: [viewer]).atPeers == [urls[0]: 0])
    #expect(try store.pending(of: PaletteID(RecordID(high: 1, low: 2)), at: urls) == 0)
  }

  private static func peer(_ url: String) -> StoredPeer {
    StoredPeer(url: url, addresses: [], secret: [1], grants: [Grant(.relay)])
  }

  private func rename(_ palette: PaletteID, _ name: String, in store: ChangeStore) throws {
    try store.write { transaction throws(StoreError) in
      let edit = Edit.set(palette.record, [.name: RegisterValue(text: name)])
      _ = try transaction.palette(palette)?.act([edit])
    }
  }

  private func statement(
    _ url: String,
    _ palette: PaletteID,
    _ sequence: UInt32,
    _ store: ChangeStore
  ) -> HeldReport {
    let held = [store.node: StreamHead(sequence: sequence, link: 0)]
    return HeldReport(url: url, palette: palette, held: held, isWhole: true)
  }
}
