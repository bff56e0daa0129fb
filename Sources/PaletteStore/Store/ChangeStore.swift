package import PaletteMerge
public import PaletteModel

/// The change log of a library, and the state that it amounts to, in SQLite.
///
/// It reads as any `PaletteReader` does, and writes in transactions. Everything here is synchronous, and belongs to whoever made it: one actor or one thread. Clock
/// and randomness come from outside, so that a fleet of stores runs inside one test.
public final class ChangeStore: PaletteReader {
  /// The folder of the library.
  public let folder: LibraryFolder
  /// True if the library is a cache of a log that others have too.
  package private(set) var hasSharedLog = false
  /// A notice of what befell the library, in a sentence for whoever asks how it is; nil where there is nothing to tell.
  package var notice: String?
  /// The members.
  package let members: MemberTable
  /// The peers that this library joined.
  package let peers: PeerTable
  /// The admission of libraries and pages as members.
  package let admission: Admission
  /// The node ids of each library.
  package let bindings: BindingTable
  /// The palette files that are bound to palettes.
  package let links: LinkTable
  /// The names of authors.
  package let authors: AuthorNames

  let transactions: Transactions
  let clock: StoreClock
  let random: StoreRandom
  let identity: LibraryIdentity
  private let edits: EditLog
  let parts: WriterParts
  let uncounted = UncountedPalettes()
  private let pending: PendingTally
  let isWritable: Bool

  /// Opens a library for writing, and creates it when it is missing.
  ///
  /// - Parameters:
  ///   - folder: Where the library is.
  ///   - lockTimeoutMilliseconds: How long to wait for another writer.
  ///   - random: Where ids come from.
  ///   - milliseconds: The node's clock: milliseconds since 1970.
  /// - Throws: `StoreError` with code `locked`, `notALibrary`, `newerFormat`, `readOnly`,
  ///   `diskFull`, `corrupt` and others.
  public convenience init(
    writing folder: LibraryFolder,
    lockTimeoutMilliseconds: Int = 5_000,
    random: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    milliseconds: @escaping () -> Int64 = systemMilliseconds
  ) throws(StoreError) {
    var random = random
    let places = PlaceGenerator(using: &random)
    let fresh = NodeID(using: &random)
    let library = RecordID(using: &random)
    let memberKey = LibraryIdentity.makeMemberKey(using: &random)
    let opened = try folder.openForWriting(
      migrations: LibrarySchema.current.migrations,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds,
      using: &random
    ) { (connection, continuity) throws(StoreError) in
      try connection.adopt(memberKey: memberKey)
      guard continuity != .same else { return }
      try connection.adopt(fresh, places, library: library)
    }
    try self.init(
      folder,
      StoreDatabase(opened.connection),
      random: random,
      milliseconds: milliseconds
    )
  }

  /// Opens the cache of a library that has a log, to which each commit goes first.
  ///
  /// It goes on under the node ids that it has, on whatever machine the file is: continuity is the log's
  /// to say. Nothing waits for the disk, since the file can be made again from the log.
  ///
  /// - Parameters:
  ///   - folder: The place of the cache, which is there and in the newest format.
  ///   - schema: The newest format.
  ///   - log: The log.
  ///   - random: The source of ids.
  ///   - milliseconds: The node's clock: milliseconds since 1970.
  /// - Throws: `StoreError` with code `cannotOpen` or `olderFormat` where there is no such cache, and
  ///   what opening any library throws.
  package convenience init(
    caching folder: LibraryFolder,
    schema: LibrarySchema = .current,
    log: any CommitLog,
    random: some RandomNumberGenerator = SystemRandomNumberGenerator(),
    milliseconds: @escaping () -> Int64 = systemMilliseconds
  ) throws(StoreError) {
    guard try folder.exists else {
      throw StoreError(code: .cannotOpen, message: "there is no cache: \(folder.path)")
    }
    var random = random
    let opened = try folder.openForWriting(
      as: .cache,
      migrations: schema.migrations.map(\.refused),
      using: &random
    )
    let database = StoreDatabase(opened.connection, as: .cache)
    self.init(folder, database, isWritable: true, random: random, milliseconds: milliseconds)
    hasSharedLog = true
    try transactions.follow(log) { TableScope.tables[$0] != .local }
    try load()
    guard !identity.ids.all.isEmpty else {
      throw StoreError(code: .corrupt, message: "the cache holds no library: \(folder.path)")
    }
    try adoptRegisters()
    try revertLongActions()
  }

  /// Wraps a library that is open for writing.
  convenience init(
    _ folder: LibraryFolder,
    _ database: StoreDatabase,
    random: some RandomNumberGenerator,
    milliseconds: @escaping () -> Int64
  ) throws(StoreError) {
    self.init(folder, database, isWritable: true, random: random, milliseconds: milliseconds)
    try load()
    try adoptRegisters()
    try revertLongActions()
  }

  /// Opens a library for reading, without a lock and without writing anything.
  ///
  /// - Returns: The store, or nil when there is no library in the folder.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat`, `corrupt` and others.
  public static func reading(
    _ folder: LibraryFolder,
    milliseconds: @escaping () -> Int64 = systemMilliseconds
  ) throws(StoreError) -> ChangeStore? {
    guard let library = try folder.openForReading(newestVersion: LibrarySchema.current.version)
    else {
      return nil
    }
    guard library.version == LibrarySchema.current.version else {
      throw StoreError(
        code: .olderFormat,
        message: "the library has the format \(library.version)",
        hint: "any edit brings it to format \(LibrarySchema.current.version)"
      )
    }
    let store = ChangeStore(
      folder,
      StoreDatabase(library.connection),
      isWritable: false,
      random: SystemRandomNumberGenerator(),
      milliseconds: milliseconds
    )
    try store.load()
    return store
  }

  /// Wraps a backup that is open for reading; of one in another format only the pages can be checked.
  convenience init(
    backupIn folder: LibraryFolder,
    _ connection: consuming DatabaseConnection,
    isReadable: Bool
  ) throws(StoreError) {
    self.init(
      folder,
      StoreDatabase(connection),
      isWritable: false,
      random: SystemRandomNumberGenerator(),
      milliseconds: systemMilliseconds
    )
    if isReadable { try load() }
  }

  private init(
    _ folder: LibraryFolder,
    _ database: StoreDatabase,
    isWritable: Bool,
    random: any RandomNumberGenerator,
    milliseconds: @escaping () -> Int64
  ) {
    self.folder = folder
    self.isWritable = isWritable
    self.random = StoreRandom(random)
    clock = StoreClock(milliseconds: milliseconds)
    edits = EditLog(database, clock)
    transactions = Transactions(database, edits, isWritable: isWritable)
    let places = PlaceSource(database, self.random)
    identity = LibraryIdentity(database, places, self.random)
    bindings = BindingTable(database, transactions, identity)
    members = MemberTable(database, transactions, clock, self.random)
    peers = PeerTable(database, transactions, clock, identity, uncounted)
    admission = Admission(members, bindings, identity, transactions, clock)
    links = LinkTable(database, transactions)
    authors = AuthorNames(database)
    pending = PendingTally(database, peers, authors, uncounted, isWritable: isWritable)
    parts = WriterParts(identity, clock, authors, places, RecordFunctions(database))
    super.init(database)
  }

  /// The name that the owner of the library wants to have; empty for none.
  package var nameOfOwner: () -> String {
    get { parts.nameOfOwner }
    set { parts.nameOfOwner = newValue }
  }

  /// Reads who the library is, and how wrong its clock.
  private func load() throws(StoreError) {
    try loadClockOffset()
    try identity.load()
  }

  /// The present id of this node, under which the library itself makes changes.
  public var node: NodeID { identity.ids.node }

  /// All ids that this library has had, those of members who edit through it too.
  package var identities: [NodeID] { identity.ids.all }

  /// The id of the library, which its copies share and which stays when the node id changes.
  public var library: RecordID { identity.library }

  /// The secret by which a hub knows this library as its member.
  package func memberSecret(at hub: JoinTicket) throws(StoreError) -> [UInt8] {
    try identity.memberSecret(at: hub)
  }

  /// The second half of a session of the page, which its cookie does not tell.
  ///
  /// Cookies are sent to whatever listens on any port of the host; the half is kept by the page's script
  /// for its origin alone. It follows from the secret in the cookie and a key of the library, so that it
  /// lasts over a restart without being stored.
  package func pageHalf(of secret: [UInt8]) throws(StoreError) -> [UInt8] {
    try identity.pageHalf(of: secret)
  }

  /// The number of times, while this is open, that changes came back that were made here and
  /// forgotten.
  package var rollbackCount: Int { identity.rollbackCount }

  /// The id under which an author makes changes; nil where it has to take one.
  package func presentNode(of author: AuthorID) -> NodeID? { identity.ids.present(of: author) }

  /// Returns whether an author makes changes under an id now.
  package func isPresent(_ node: NodeID) -> Bool { identity.ids.isPresent(node) }

  /// Switches to a new node id, for example because a peer knows the present one as another's.
  package func adoptNewNode() throws(StoreError) {
    try write { _ throws(StoreError) in try identity.adoptNode() }
  }

  /// Returns whether a change was made in this library, by any author under any of its ids.
  package func isOwn(_ node: NodeID) -> Bool { identity.isOwn(node) }

  /// Returns whether a change was made in this library by this author, under any id that it has
  /// had.
  package func isOwn(_ node: NodeID, by author: AuthorID) -> Bool {
    identity.ids.author(of: node) == author
  }

  /// The author in this library that a node id stands for; nil when it is none of its ids.
  package func author(of node: NodeID) -> AuthorID? { identity.ids.author(of: node) }

  /// Makes an empty palette.
  ///
  /// - Parameter name: The name, at most 1 KiB and without control characters; others may have it.
  /// - Returns: The palette's id.
  /// - Throws: `StoreError` when the store failed.
  public func makePalette(named name: String) throws(StoreError) -> PaletteID {
    var random = random
    let id = PaletteID(RecordID(using: &random))
    try write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: id).author(
        .add(id.record, [.name: RegisterValue(text: name)])
      )
    }
    return id
  }

  /// Gives a palette another name.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - name: The name, at most 1 KiB and without control characters; others may have it.
  /// - Throws: `StoreError` when the store failed.
  public func rename(_ id: PaletteID, to name: String) throws(StoreError) {
    try write { transaction throws(StoreError) in
      let edit = Edit.set(id.record, [.name: RegisterValue(text: name)])
      _ = try transaction.palette(id)?.author(edit)
    }
  }

  /// Writes what a list of named colors became, as one action that can be undone.
  ///
  /// Insertions and moves get places between the neighbours that the diff gives them, so the list
  /// may have changed here meanwhile.
  ///
  /// - Parameters:
  ///   - diff: The difference between the palette's list here and what it shall be.
  ///   - id: The palette.
  /// - Throws: `StoreError` with code `constraint` when the diff is about another list.
  public func commit(_ diff: PaletteDiff, to id: PaletteID) throws(StoreError) {
    guard !diff.isEmpty else { return }
    try write { transaction throws(StoreError) in
      let list = try colors(of: id)
      do {
        _ = try diff.applying(to: list.map(\.color))
      } catch {
        throw StoreError(
          code: .constraint,
          message: "the diff is not about this list: \(error)",
          hint: "take the list again, and make the diff from that"
        )
      }
      let palette = try transaction.palette(beginning: id)
      try palette.act(diff, on: list)
    }
  }

  /// The time that an edit is remembered: 7 days.
  package static let editMilliseconds = EditLog.lifetimeMilliseconds
  /// The longest answer that is remembered with it.
  package static let editAnswerBytes = 64 << 10

  /// The answer that an edit got; empty if it was too long to be kept, nil if the edit was not
  /// made.
  package func answer(
    toEdit id: RecordID,
    by author: AuthorID
  ) throws(StoreError) -> [UInt8]? {
    try edits.answer(to: id, by: author)
  }

  /// Carries out an edit and remembers it.
  ///
  /// That it was made is recorded in the same transaction as what it writes. Its answer, which is known
  /// only then, follows; within a group both become durable together. One that fails is forgotten.
  ///
  /// - Parameters:
  ///   - id: What its maker calls it.
  ///   - author: Its maker.
  ///   - body: Makes the edit, and gives the answer.
  /// - Returns: The answer.
  /// - Throws: What `body` throws, or `StoreError` when the store failed.
  package func remember(
    _ id: RecordID,
    by author: AuthorID,
    _ body: () throws -> [UInt8]
  ) throws -> [UInt8] {
    let answer = try edits.naming(id, by: author, body)
    let kept = answer.count <= Self.editAnswerBytes ? answer : []
    try transactions.write { () throws(StoreError) in
      try edits.record(id, by: author, answer: kept)
    }
    edits.count(answerBytes: kept.count, by: author)
    return answer
  }

  /// Makes a part of an edit that has a name: what `body` writes records the name, without an answer.
  package func naming<Result>(
    _ id: RecordID,
    by author: AuthorID,
    _ body: () throws -> Result
  ) rethrows -> Result {
    try edits.naming(id, by: author, body)
  }

  /// Removes the count of what remembered edits take, by those of their makers who are members.
  package func removeRememberedBytes() -> [AuthorID: Int] { edits.removeRecordedBytes() }

  /// The number of this library's own changes that wait for peers.
  ///
  /// What was counted is kept, so that asking again costs as much as was written meanwhile.
  ///
  /// - Parameters:
  ///   - peers: The peers that count.
  ///   - palette: The palette that alone counts; nil for all.
  /// - Returns: What is pending.
  /// - Throws: `StoreError` when the store failed.
  package func pendingChanges(
    at peers: [StoredPeer],
    of palette: PaletteID? = nil
  ) throws(StoreError) -> PendingChanges {
    guard let palette else { return try pending.changes(at: peers) }
    return try pending.changes(of: palette, at: peers)
  }

  /// The number of this library's own changes of a palette no peer that takes them has stated to
  /// hold.
  package func pending(of id: PaletteID, at urls: [String]) throws(StoreError) -> Int {
    try pending.ownStreams(of: id).count(of: id, at: urls)
  }
}
