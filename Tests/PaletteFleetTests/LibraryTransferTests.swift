import PaletteCommands
import PaletteFleet
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Libraries that are carried into a fleet and back.
struct LibraryTransferTests {
  private let log = MemoryLog(MemoryDatabase())
  private let home: TemporaryLibrary
  private let secret = [UInt8](repeating: 7, count: 32)

  init() throws {
    home = try TemporaryLibrary(inMemory: ())
    let store = try ChangeStore(writing: home.folder)
    for name in ["Brand", "Web"] {
      let palette = try store.makePalette(named: name)
      try add(["First", "Second"], to: palette, in: store)
    }
    try store.members.makeMember(.script, secret: secret, grant: Grant(.editor), name: "Ann")
  }

  private func add(_ names: [String], to palette: PaletteID, in store: ChangeStore) throws {
    for name in names {
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        try writer.act(
          try writer.appending([NamedColor(name: name, color: Color(.srgb, 1, 0, 0))])
        )
      }
    }
  }

  private func undo(_ store: ChangeStore) throws {
    let palette = try #require(try store.palettes().first?.id)
    try store.write { transaction throws(StoreError) in
      let outcome = try transaction.undo(in: palette)
      #expect(outcome?.changed.count == 1)
    }
  }

  private func isAnn(_ store: ChangeStore) throws -> Bool {
    try store.members.member(hash: SecretHash(of: secret))?.name == "Ann"
  }

  private func code(_ action: () throws -> Void) -> String? {
    do {
      try action()
      return nil
    } catch {
      return (error as? APIError)?.code
    }
  }

  @Test func aLibraryGoesIntoTheFleetAndBackWithMembersAndUndo() throws {
    let transfer = LibraryTransfer(log)
    let carried = try transfer.importLibrary(from: home.folder, as: "studio")
    #expect(carried.name == "studio" && carried.palettes == 2 && carried.colors == 4)
    #expect(carried.members == 1)
    let row = try #require(try log.look("studio"))
    #expect(row.id == carried.id && row.owner == nil && row.state.head == 1)
    // The home goes on, and knows nothing of it.
    let source = try ChangeStore(writing: home.folder)
    #expect(try isAnn(source))
    let other = try TemporaryLibrary(inMemory: ())
    #expect(try transfer.exportLibrary("studio", to: other.folder) == carried)
    let store = try ChangeStore(writing: other.folder)
    #expect(try store.digest() == source.digest() && store.verify().isEmpty)
    #expect(try isAnn(store))
    // The changes of a copy have names of their own, so that both may go on.
    #expect(store.node != source.node)
    try undo(store)
    #expect(try store.palettes().map(\.count).reduce(0, +) == 3)
    #expect(try source.palettes().map(\.count).reduce(0, +) == 4)
  }

  @Test func aLibraryIsReadWhileItIsOpen() throws {
    let store = try ChangeStore(writing: home.folder)
    let palette = try #require(try store.palettes().first?.id)
    try add(["Third"], to: palette, in: store)
    let carried = try LibraryTransfer(log).importLibrary(from: home.folder, as: "studio")
    #expect(carried.colors == 5)
    try add(["Fourth"], to: palette, in: store)
  }

  @Test func whatEntriesChangedIsExportedToo() throws {
    _ = try LibraryTransfer(log).importLibrary(from: home.folder, as: "studio")
    let cached = try TemporaryLibrary(inMemory: ())
    let row = try #require(try log.look("studio"))
    let schema = ChangeStore.formatVersion
    let state = try #require(try log.take(row, because: .free, for: HubID(1), schema: schema))
    let claim = LogClaim(row.id, hub: HubID(1), epoch: state.epoch)
    let opening = OwnedCache(log, claim, LibraryCache(cached.folder))
    let opened = try opening.open(state, isContinued: false, timestamp: "now")
    let owned = OwnedLog(log, after: opened.position, claim: { claim }, onInterruption: { _ in })
    let store = try ChangeStore(caching: cached.folder, log: owned)
    try add(["Third"], to: try #require(try store.palettes().first?.id), in: store)
    let other = try TemporaryLibrary(inMemory: ())
    #expect(try LibraryTransfer(log).exportLibrary("studio", to: other.folder).colors == 5)
    #expect(try ChangeStore(writing: other.folder).digest() == store.digest())
    // It is the owner's still.
    try add(["Fourth"], to: try #require(try store.palettes().first?.id), in: store)
  }

  @Test func whatIsThereAlreadyIsRefusedAndLeftAlone() throws {
    let transfer = LibraryTransfer(log)
    let carried = try transfer.importLibrary(from: home.folder, as: "studio")
    #expect(code { _ = try transfer.importLibrary(from: home.folder, as: "studio") } == "exists")
    #expect(try log.list().map(\.id) == [carried.id])
    #expect(code { _ = try transfer.exportLibrary("studio", to: home.folder) } == "exists")
    #expect(try ChangeStore(writing: home.folder).palettes().count == 2)
    let nothing = try TemporaryLibrary(inMemory: ())
    #expect(code { _ = try transfer.exportLibrary("none", to: nothing.folder) } == "not-found")
    #expect(code { _ = try transfer.importLibrary(from: nothing.folder, as: "x") } == "not-found")
    #expect(code { _ = try transfer.importLibrary(from: home.folder, as: "No!") } == "bad-usage")
    #expect(try !nothing.folder.exists && log.list().count == 1)
  }

  @Test(arguments: 0..<6)
  func anImportThatFailsLeavesNoLibrary(_ call: Int) throws {
    // Look, create, look, take, part, jump.
    for _ in 0..<call { log.fail(.none) }
    log.fail(.refused(.full))
    #expect(throws: SharedLogError.self) {
      _ = try LibraryTransfer(log).importLibrary(from: home.folder, as: "studio")
    }
    #expect(try log.list().isEmpty)
    _ = try LibraryTransfer(log).importLibrary(from: home.folder, as: "studio")
  }

  @Test(arguments: 6..<9, [MemoryFault.lost, .unheard])
  func aLibraryThatHubsMayServeIsNotDroppedByItsImport(_ call: Int, _ fault: MemoryFault) throws {
    // Behind the jump: prune, sweep, let go.
    for _ in 0..<call { log.fail(.none) }
    log.fail(fault)
    let carried = try LibraryTransfer(log).importLibrary(from: home.folder, as: "studio")
    #expect(try log.look("studio")?.id == carried.id)
  }
}
