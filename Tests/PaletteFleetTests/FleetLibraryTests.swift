import PaletteFleet
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// A library that hubs pass on through its log: images, entries, caches.
final class FleetLibraryTests {
  /// A hub with its place for caches, and the library while that is open there.
  private final class FleetHub {
    let id: HubID
    let log: MemoryLog
    let home: TemporaryLibrary
    var claim: LogClaim?
    var interruptions: [OwnedLog.Interruption] = []
    var store: ChangeStore?

    var cache: LibraryCache { LibraryCache(home.folder) }

    init(_ number: Int64, _ database: MemoryDatabase) throws {
      id = HubID(number)
      log = MemoryLog(database)
      home = try TemporaryLibrary()
    }

    /// Takes the library that nobody owns, and opens it.
    @discardableResult
    func open() throws -> CacheMaker.Made {
      let library = try #require(try log.look("brand"))
      let state = try #require(
        try log.take(library, because: .free, for: id, schema: ChangeStore.formatVersion)
      )
      claim = LogClaim(library.id, hub: id, epoch: state.epoch)
      return try open(state)
    }

    /// Opens the library that the hub owns.
    func open(_ state: LogState) throws -> CacheMaker.Made {
      claim?.epoch = state.epoch
      let library = try #require(claim?.library)
      let made = try CacheMaker(log, library, cache).make(for: state, timestamp: "now")
      let owned = OwnedLog(
        log,
        after: made.position,
        claim: { [unowned self] in claim },
        onInterruption: { [unowned self] in interruptions.append($0) }
      )
      store = try ChangeStore(caching: home.folder, log: owned)
      return made
    }

    /// Closes the library cleanly, and lets it go.
    func close() throws {
      store = nil
      #expect(try cache.close() != nil)
      #expect(try log.letGo(try #require(claim)))
      claim = nil
    }

    func add(_ name: String) throws {
      let store = try #require(store)
      let palette = try #require(try store.palettes().first?.id)
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        try writer.act(try writer.appending([NamedColor(name: name, color: Color(.srgb, 1, 0, 0))]))
      }
    }

    func digest() throws -> Digest {
      let store = try #require(store)
      return try store.digest()
    }

    func names() throws -> [String] {
      let store = try #require(store)
      return try store.palettes().flatMap { try store.colors(of: $0.id).map(\.color.name) }
    }
  }

  private let database = MemoryDatabase()
  private let ann: FleetHub
  private let bob: FleetHub
  /// The node id that the library began with.
  private let node: NodeID

  init() throws {
    ann = try FleetHub(1, database)
    bob = try FleetHub(2, database)
    // The first image is a jump from nothing.
    let made = try TemporaryLibrary()
    let store = try ChangeStore(writing: made.folder)
    let palette = try store.makePalette(named: "Brand")
    node = store.node
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(
        try writer.appending([NamedColor(name: "First", color: Color(.srgb, 1, 1, 1))])
      )
    }
    let image = made.folder.path + "/image"
    try FleetFixture.publish(store, as: "brand", to: MemoryLog(database), image: image)
  }

  @Test func eachHubGoesOnWhereTheOtherEnded() throws {
    #expect(try ann.open().outcome == .made(entries: 0))
    try ann.add("Ann's")
    let digest = try ann.digest()
    try ann.close()
    #expect(try bob.open().outcome == .made(entries: 1))
    #expect(try bob.digest() == digest && bob.names() == ["First", "Ann's"])
    // It is one library, with one node id, wherever it is open.
    #expect(bob.store?.node == node)
    for name in ["Bob's", "Bob's other"] { try bob.add(name) }
    try bob.close()
    // Ann's cache was closed as it should be, so that only what is new comes.
    let again = try ann.open()
    #expect(again.outcome == .kept(entries: 2) && again.aside == nil)
    #expect(try ann.names() == ["First", "Ann's", "Bob's", "Bob's other"])
    #expect(ann.store?.node == node)
    #expect(try ann.store?.verify().isEmpty == true)
  }

  @Test func aCacheThatWasNotClosedOrWasTouchedIsMadeAnew() throws {
    try ann.open()
    try ann.add("Ann's")
    // The process ends, and nothing is closed.
    ann.store = nil
    #expect(try ann.log.letGo(try #require(ann.claim)))
    #expect(try ann.open().outcome == .made(entries: 1))
    try ann.close()
    try ann.cache.remove()
    #expect(try ann.open().outcome == .made(entries: 1))
    #expect(try ann.names() == ["First", "Ann's"])
  }

  @Test func anImageStandsForTheEntriesBeforeIt() throws {
    try ann.open()
    for number in 0..<20 { try ann.add("\(number)") }
    let claim = try #require(ann.claim)
    let path = ann.home.folder.path + "/image"
    let upload = try ImageUpload(of: try #require(ann.store), at: path, to: ann.log, as: claim)
    while try !upload.advance() {}
    // What is written meanwhile comes after it.
    try ann.add("Last")
    try upload.finish()
    let digest = try ann.digest()
    #expect(try ann.log.tail(of: claim.library, after: 0).count == 2)
    try ann.close()
    #expect(try bob.open().outcome == .made(entries: 1))
    #expect(try bob.digest() == digest && bob.names().count == 22)
  }

  @Test func whoHasLostTheLibraryAcknowledgesNothing() throws {
    try ann.open()
    // Another hub found that this one was dead; here, it is as if it had let go.
    #expect(try bob.log.letGo(try #require(ann.claim)))
    try bob.open()
    try bob.add("Bob's")
    #expect(throws: StoreError.self) { try ann.add("Ann's") }
    #expect(ann.interruptions == [.lost])
    #expect(try bob.names() == ["First", "Bob's"])
    // Not even what the log would take: the library is opened anew first.
    #expect(throws: StoreError.self) { try ann.add("Ann's") }
    #expect(ann.interruptions == [.lost])
  }

  @Test(arguments: [true, false])
  func doubtIsEndedByAWriteAndTheEntryIsAppliedIfItIsThere(_ isThere: Bool) throws {
    try ann.open()
    ann.log.fail(isThere ? .unheard : .late)
    #expect(throws: StoreError.self) { try ann.add("Ann's") }
    #expect(ann.interruptions == [.doubt])
    #expect(try ann.names() == ["First"])
    let claim = try #require(ann.claim)
    let state = try #require(try ann.log.endDoubt(claim))
    database.deliverLate()
    ann.store = nil
    let made = try ann.open(state)
    #expect(made.position.number == (isThere ? 2 : 1))
    #expect(try ann.names() == (isThere ? ["First", "Ann's"] : ["First"]))
    try ann.add("More")
    #expect(try ann.names().last == "More")
  }

  @Test func aRefusedAppendIsRolledBackAndTheNextOneGoesOn() throws {
    try ann.open()
    ann.log.fail(.refused(.full))
    #expect {
      try ann.add("Ann's")
    } throws: {
      ($0 as? StoreError)?.code == .diskFull
    }
    #expect(try ann.names() == ["First"] && ann.interruptions.isEmpty)
    try ann.add("Next")
    #expect(try ann.names() == ["First", "Next"])
  }

  @Test func aHubWithoutALeaseAppendsNothing() throws {
    try ann.open()
    let claim = ann.claim
    ann.claim = nil
    #expect(throws: StoreError.self) { try ann.add("Ann's") }
    ann.claim = claim
    try ann.add("Later")
    #expect(try ann.names() == ["First", "Later"])
  }

  @Test func aCacheAheadOfTheLogIsPutAside() throws {
    try ann.open()
    let backup = database.backup
    try ann.add("Acknowledged")
    try ann.close()
    // An asynchronous standby was promoted, which had not got the last entry.
    database.loseTail(after: backup)
    let library = try #require(try ann.log.look("brand"))
    let claim = LogClaim(library.id, hub: ann.id, epoch: library.state.epoch)
    #expect(try ann.log.letGo(claim))
    let made = try ann.open()
    #expect(made.outcome == .made(entries: 0) && made.aside?.hasSuffix("aside-now") == true)
    #expect(try ann.names() == ["First"])
  }
}
