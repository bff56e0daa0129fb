import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What authors are called travels in the palettes that they edit.
struct AuthorNameTests {
  private let libraries: [TemporaryLibrary]
  private let store: ChangeStore
  private let peer: ChangeStore
  private let palette: PaletteID
  private let sea = RecordID(high: 1, low: 2)

  /// A name that changes.
  private final class Name {
    var text = "Ann"
  }
  private let name = Name()

  init() throws {
    libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    store = try ChangeStore(writing: libraries[0].folder, random: SeededRandom(seed: 1))
    peer = try ChangeStore(writing: libraries[1].folder, random: SeededRandom(seed: 2))
    store.nameOfOwner = { [name] in name.text }
    palette = try store.makePalette(named: "P")
  }

  private func act(_ edit: Edit, in library: ChangeStore? = nil) throws {
    try (library ?? store).write { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.act([edit])
    }
  }

  private func add() throws {
    try act(
      .add(
        sea,
        [
          .name: RegisterValue(text: "Sea"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [128]),
        ]
      )
    )
  }

  private func give(_ source: ChangeStore, to target: ChangeStore) throws {
    let changes = try #require(try source.changes(of: palette))
    for arrival in try target.merge(changes, into: palette) {
      if case .refused(let refusal) = arrival { Issue.record("\(refusal)") }
    }
    #expect(try source.digest() == target.digest())
  }

  private func naming(in library: ChangeStore? = nil) throws -> [Change] {
    try (library ?? store).history(of: palette).filter(\.namesAuthor)
  }

  @Test func anAuthorSaysItsNameOnce() throws {
    try add()
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]))
    try act(.delete(sea))
    #expect(try naming().map(\.dot) == [Dot(store.node, 1)])
    #expect(try store.history(of: palette).count == 5)
    #expect(try store.history(of: palette, edits: true).count == 4)
    #expect(try store.history(of: palette, limit: 9, edits: true).count == 4)
    try give(store, to: peer)
    #expect(try peer.authors.claimedName(of: store.node, in: palette) == "Ann")
    #expect(try peer.authors.claimedName(of: peer.node, in: palette) == nil)
    let other = PaletteID(RecordID(high: 9, low: 9))
    #expect(try peer.authors.claimedName(of: store.node, in: other) == nil)
  }

  @Test func whoCameFirstHereComesFirst() throws {
    try add()
    try give(store, to: peer)
    peer.nameOfOwner = { "Bob" }
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]), in: peer)
    let both = try peer.authors.claims(in: palette)
    #expect(both.map(\.node) == [store.node, peer.node] && both.map(\.name) == ["Ann", "Bob"])
    // A name that is taken later counts from then on.
    name.text = "Bob"
    try act(.set(sea, [.note: RegisterValue(text: "x")]))
    let changes = try #require(try store.changes(of: palette))
    _ = try peer.merge(changes, into: palette)
    let claims = try peer.authors.claims(in: palette)
    #expect(claims.map(\.node) == [peer.node, store.node] && claims.map(\.name) == ["Bob", "Bob"])
    #expect(try peer.authors.claims(in: PaletteID(RecordID(high: 9, low: 9))).isEmpty)
  }

  @Test func aNewNameIsSaidWithTheNextEdit() throws {
    try add()
    name.text = "Ann B."
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]))
    try give(store, to: peer)
    #expect(try peer.authors.claimedName(of: store.node, in: palette) == "Ann B.")
    #expect(try naming().count == 2)
    // What is no name is none, and what is set back is said again.
    name.text = " \u{7} "
    try act(.set(sea, [.name: RegisterValue(text: "Lake")]))
    name.text = "Ann"
    try act(.set(sea, [.name: RegisterValue(text: "Pond")]))
    try give(store, to: peer)
    #expect(try peer.authors.claimedName(of: store.node, in: palette) == "Ann")
  }

  @Test func nobodySeesItAmongTheColors() throws {
    try add()
    try give(store, to: peer)
    for library in [store, peer] {
      #expect(try library.colors(of: palette).map(\.color.name) == ["Sea"])
      #expect(try library.names(of: palette, removed: true).isEmpty)
      #expect(try library.summary(of: palette)?.conflicts == 0)
      #expect(try library.verify(palette) == [])
    }
    // Undo takes back the edit, not the name.
    try store.write { transaction throws(StoreError) in
      _ = try transaction.undo(in: palette)
    }
    #expect(try store.colors(of: palette).isEmpty)
    #expect(try store.authors.claimedName(of: store.node, in: palette) == "Ann")
  }

  @Test func whatOthersWriteThereIsNoName() throws {
    try add()
    try give(store, to: peer)
    try act(.set(.author(store.node), [.name: RegisterValue(text: "Mallory")]), in: peer)
    try give(peer, to: store)
    #expect(try store.authors.claimedName(of: store.node, in: palette) == nil)
    #expect(try peer.authors.claimedName(of: store.node, in: palette) == nil)
    // Looked at again, as every process does once.
    store.cache.forget([])
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]))
    #expect(try store.authors.claimedName(of: store.node, in: palette) == "Ann")
  }

  @Test func itIsNotPending() throws {
    try add()
    let peer = StoredPeer(url: "http://127.0.0.1:1", addresses: [], grants: [Grant(.relay)])
    try store.peers.save(peer)
    #expect(try store.pendingChanges(at: [peer]).inPalettes == [palette: 2])
    #expect(try store.pending(of: palette, at: ["http://127.0.0.1:1"]) == 2)
  }

  @Test func compactionKeepsIt() throws {
    try add()
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]))
    _ = try store.compact(palette, beforeMilliseconds: .max)
    #expect(try store.authors.claimedName(of: store.node, in: palette) == "Ann")
  }

  @Test func newNodeIDsSayItAgain() throws {
    try add()
    let old = store.node
    try store.adoptNewNode()
    try act(.set(sea, [.name: RegisterValue(text: "Ocean")]))
    #expect(store.node != old)
    #expect(try store.authors.claimedName(of: store.node, in: palette) == "Ann")
    #expect(try store.authors.claimedName(of: old, in: palette) == "Ann")
  }

  @Test func aColorIsNotHiddenByItsID() throws {
    let id = RecordID.author(store.node)
    let blue = RegisterValue(color: Color(.srgb, 0, 0, 1))
    try act(.set(id, [.color: blue, .place: RegisterValue(placeBytes: [9])]))
    try act(.set(id, [.name: RegisterValue(text: "hidden?")]))
    #expect(try store.colors(of: palette).map(\.color.id) == [id])
    #expect(try store.history(of: palette, edits: true).first?.record == id)
  }
}
