import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// The peers that a library joined.
struct PeersTests {
  @Test(arguments: [["ws://b", "ws://c"], []])
  func areAsTheyWereSaved(addresses: [String]) throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    try store.peers.save(
      StoredPeer(
        url: "ws://a",
        addresses: addresses,
        pin: [2],
        secret: [1],
        grants: [Grant(.relay)]
      )
    )
    let peer = try #require(try store.peers.all().first)
    // Whoever dials takes one of them.
    #expect(peer.addresses == (addresses.isEmpty ? ["ws://a"] : addresses))
    #expect(peer.url == "ws://a" && peer.pin == [2] && peer.secret == [1])
  }

  @Test func areWrittenOnlyWhenTheyChange() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    var peer = StoredPeer(
      url: "ws://a",
      addresses: ["ws://a"],
      pin: [],
      secret: [1],
      code: [2],
      grants: [
        Grant(.editor, on: PaletteID(RecordID(high: 1, low: 2)), expiresMilliseconds: 9),
        Grant(.viewer),
      ],
      library: RecordID(high: 3, low: 4),
      name: "Desk",
      node: NodeID(.max)
    )
    peer.givenBack = [PaletteID(RecordID(high: 5, low: 6)), PaletteID(RecordID(high: 7, low: 8))]
    peer.refusal = "unknown"
    peer.lastAckMilliseconds = 5
    try store.peers.save(peer)
    let log = try bytes(library.folder.databasePath + "-wal")
    try store.peers.save(peer)
    #expect(try bytes(library.folder.databasePath + "-wal") == log)
    peer.refusal = nil
    peer.grants.removeFirst()
    try store.peers.save(peer)
    #expect(try store.peers.all() == [peer])
    peer.givenBack = []
    try store.peers.save(peer)
    #expect(try store.peers.all() == [peer])
  }
}
