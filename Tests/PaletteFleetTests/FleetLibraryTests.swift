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
    var owned: OwnedLog?
    var limits = LogLimits()

    var schema = LibrarySchema.current

    var cache: LibraryCache { LibraryCache(home.folder, schema: schema) }

    init(_ number: Int64, _ database: MemoryDatabase) throws {
      id = HubID(number)
      log = MemoryLog(database)
      home = try TemporaryLibrary()
    }

    /// Takes the library that nobody owns, and opens it.
    @discardableResult
    func open() throws -> OpenedCache {
      let library = try #require(try log.look("brand"))
      let state = try #require(
        try log.take(library, because: .free, for: id, schema: ChangeStore.formatVersion)
      )
      claim = LogClaim(library.id, hub: id, epoch: state.epoch)
      return try open(state)
    }

    /// Opens the library that the hub owns.
    func open(_ state: LogState, isContinued: Bool = false) throws -> OpenedCache {
      claim?.epoch = state.epoch
      let made = try OwnedCache(log, try #require(claim), cache).open(
        state,
        isContinued: isContinued,
        timestamp: "now"
      )
      try open(after: made.position)
      return made
    }

    /// Opens the library, whose cache is good.
    func open(after position: CachePosition) throws {
      let owned = OwnedLog(
        log,
        after: position,
        limits: limits,
        claim: { [unowned self] in claim },
        onInterruption: { [unowned self] in interruptions.append($0) }
      )
      store = try ChangeStore(caching: home.folder, schema: schema, log: owned)
      self.owned = owned
    }

    /// Closes the library cleanly, and lets it go.
    func close() throws {
      store = nil
      #expect(try cache.close() != nil)
      #expect(try log.letGo(try #require(claim)))
      claim = nil
    }

    func add(_ name: String) throws { try add([name]) }

    func add(_ names: [String]) throws {
      let store = try #require(store)
      let palette = try #require(try store.palettes().first?.id)
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        let colors = names.map { NamedColor(name: $0, color: Color(.srgb, 1, 0, 0)) }
        try writer.act(try writer.appending(colors))
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
    let image = try FleetFixture.image(of: try #require(ann.store), at: path)
    let position = try #require(image.position)
    var upload = ImageUpload(image, as: claim, number: position.number)
    try upload.send(to: ann.log)
    // What is written meanwhile comes after it.
    try ann.add("Last")
    try upload.finish(in: ann.log)
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
    #expect(ann.interruptions == [.doubt])
    #expect(try bob.names() == ["First", "Bob's"])
    // Not even what the log would take: the library is opened anew first.
    #expect(throws: StoreError.self) { try ann.add("Ann's") }
    #expect(ann.interruptions == [.doubt])
    #expect(try ann.log.endDoubt(try #require(ann.claim)) == nil)
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

  /// The log loses an entry that Ann's cache has, and she lets go: an asynchronous standby was promoted.
  private func loseAcknowledged() throws {
    try ann.open()
    let backup = database.backup
    try ann.add("Acknowledged")
    try ann.close()
    database.loseTail(after: backup)
    let library = try #require(try ann.log.look("brand"))
    let claim = LogClaim(library.id, hub: ann.id, epoch: library.state.epoch)
    #expect(try ann.log.letGo(claim))
  }

  @Test func aCacheAheadOfTheLogIsPutAside() throws {
    try loseAcknowledged()
    let made = try ann.open()
    #expect(made.outcome == .made(entries: 0) && made.aside?.hasSuffix("aside-now") == true)
    #expect(try ann.names() == ["First"])
  }

  @Test(arguments: [0, 3])
  func aCacheWithWhatTheLogHasLostIsPutAsideEvenIfItsHubWasKilled(_ others: Int) throws {
    try ann.open()
    let backup = database.backup
    try ann.add("Acknowledged")
    ann.store = nil
    database.loseTail(after: backup)
    let library = try #require(try ann.log.look("brand"))
    let claim = LogClaim(library.id, hub: ann.id, epoch: library.state.epoch)
    #expect(try ann.log.letGo(claim))
    // Another hub may go on without it, beyond the number that it had.
    try bob.open()
    for number in 0..<others { try bob.add("Bob's \(number)") }
    try bob.close()
    let made = try ann.open()
    #expect(made.outcome == .made(entries: others) && made.aside?.hasSuffix("aside-now") == true)
    #expect(try ann.names() == ["First"] + (0..<others).map { "Bob's \($0)" })
  }

  @Test func theOwnerGivesBackWhatTheLogHasLost() throws {
    try ann.open()
    try ann.add("Kept")
    let backup = database.backup
    for number in 0..<3 { try ann.add("Acknowledged \(number)") }
    database.loseTail(after: backup)
    #expect(throws: StoreError.self) { try ann.add("Refused") }
    #expect(ann.interruptions == [.doubt])
    let claim = try #require(ann.claim)
    let state = try #require(try ann.log.endDoubt(claim))
    #expect(state.head == 2)
    ann.store = nil
    // Not while the database is away again; but the file stays, for whoever opens it next.
    ann.log.fail(.refused(.away))
    #expect(throws: SharedLogError.self) { _ = try ann.open(state, isContinued: true) }
    let made = try ann.open(state, isContinued: true)
    #expect(made.isHealed && made.aside == nil && made.position.number == 3)
    let names = ["First", "Kept"] + (0..<3).map { "Acknowledged \($0)" }
    #expect(try ann.names() == names)
    try ann.add("Later")
    let digest = try ann.digest()
    try ann.close()
    #expect(try bob.open().outcome == .made(entries: 1))
    #expect(try bob.digest() == digest && bob.names() == names + ["Later"])
  }

  @Test func whoeverMeetsAJumpMakesTheCacheFromItsImage() throws {
    try bob.open()
    try bob.close()
    ann.limits.longestContent = 700
    try ann.open()
    try ann.add("Short")
    let before = try ann.digest()
    #expect(throws: StoreError.self) { try ann.add((0..<20).map { "\($0)" }) }
    guard case .tooLong(let changes)? = ann.interruptions.first else {
      Issue.record("it was an entry")
      return
    }
    #expect(try ann.digest() == before)
    // Nothing else is written meanwhile.
    #expect(throws: StoreError.self) { try ann.add("Refused") }
    let end = try #require(ann.owned?.position)
    ann.store = nil
    let owned = OwnedCache(ann.log, try #require(ann.claim), ann.cache)
    let position = try owned.jump(behind: end, applying: changes)
    #expect(position.number == end.number + 1)
    try ann.open(after: position)
    try ann.add("Last")
    let digest = try ann.digest()
    #expect(try ann.names().count == 23)
    try ann.close()
    #expect(try bob.open().outcome == .made(entries: 1))
    #expect(try bob.digest() == digest && bob.store?.verify().isEmpty == true)
  }

  @Test func anOlderLibraryIsMigratedByAJumpBeforeItIsServed() throws {
    let made = try TemporaryLibrary()
    do {
      let store = try ChangeStore(writing: made.folder)
      _ = try store.makePalette(named: "Old")
    }
    let claim = try claim("old", for: ann.id, at: ann.log)
    let copy = try ImageCopy(of: made.folder, at: made.folder.file("image"))
    var upload = ImageUpload(try ImageFile(copy), as: claim, number: 1)
    try upload.send(to: ann.log)
    let older = ChangeStore.formatVersion
    _ = try upload.jump(behind: .start, in: ann.log, schema: older)
    ann.claim = claim
    ann.schema = LibrarySchema.current.followed(
      by: Migration(version: older + 1) { connection throws(StoreError) in
        try connection.execute("ALTER TABLE edit ADD COLUMN later INTEGER")
      }
    )
    let state = try #require(try ann.log.look("old")?.state)
    #expect(state.schema == older)
    #expect(try ann.open(state).position.number == 2)
    let migrated = try #require(try ann.log.look("old")?.state)
    #expect(migrated.schema == older + 1 && migrated.image?.number == 2)
    #expect(try ann.store?.palettes().map(\.name) == ["Old"])
    try ann.close()
    // An older hub leaves it alone; for this one there is nothing left to do.
    let library = try #require(try bob.log.look("old"))
    #expect(try bob.log.take(library, because: .free, for: bob.id, schema: older) == nil)
    let again = try #require(
      try bob.log.take(library, because: .free, for: bob.id, schema: older + 1)
    )
    bob.claim = LogClaim(library.id, hub: bob.id, epoch: again.epoch)
    bob.schema = ann.schema
    #expect(try bob.open(again).position.number == 2)
    #expect(try bob.store?.palettes().map(\.name) == ["Old"])
  }

  @Test func aCacheWithAnEntryThatTheLogHasLostIsPutAside() throws {
    try loseAcknowledged()
    // Another hub goes on without it, beyond the number that it had.
    try bob.open()
    for number in 0..<3 { try bob.add("Bob's \(number)") }
    try bob.close()
    let made = try ann.open()
    #expect(made.aside?.hasSuffix("aside-now") == true && made.outcome == .made(entries: 3))
  }

  @Test func theGrowthOfTheLogSaysWhenAnImageIsDue() throws {
    ann.limits.leastGrowth = 1_000
    try ann.open()
    let owned = try #require(ann.owned)
    try ann.add("First")
    #expect(!owned.needsImage)
    let claim = try #require(ann.claim)
    owned.count(from: try ann.log.growth(of: claim.library))
    let image = try #require(owned.growth?.image)
    #expect(image > 1_000)
    var covered: Int64 = 0
    while !owned.needsImage {
      covered = try #require(owned.growth?.behind)
      #expect(covered <= image)
      try ann.add("More")
    }
    owned.imageWasMade(bytes: 2_000, covering: covered)
    #expect(owned.growth?.image == 2_000 && !owned.needsImage)
  }

  @Test func aCacheIsMadeOfTheLogAsItWas() throws {
    try ann.open()
    try ann.add("Before")
    let state = try #require(try ann.log.look("brand")?.state)
    let library = try #require(ann.claim?.library)
    // Its owner goes on while others read it.
    try ann.add("After")
    let maker = CacheMaker(bob.log, library, bob.cache)
    let made = try maker.make(from: nil, for: state, timestamp: "now")
    #expect(made.position.number == state.head && made.outcome == .made(entries: 1))
  }
}
