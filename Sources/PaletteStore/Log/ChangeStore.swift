import PaletteModel

/// The change log of a library, and the state that it amounts to, in SQLite.
///
/// Everything here is synchronous, and belongs to whoever made it: one actor or one thread. Clock
/// and randomness come from outside, so that a fleet of stores runs inside one test.
public final class ChangeStore {
  /// The folder of the library.
  public let folder: LibraryFolder
  /// Who is let in.
  public let members: MemberTable
  /// The peers that this library joined.
  public let peers: PeerTable
  /// Which node ids belong to which library.
  public let bindings: BindingTable
  /// The palette files that are bound to palettes.
  public let links: LinkTable
  /// What authors are called.
  public let authors: AuthorNames

  /// What the owner of the library wants to be called; empty for nothing.
  public var nameOfOwner: () -> String = { "" }

  /// The most records of a transaction whose shown values are kept at hand, where state is kept.
  package static let recordsAtHand = 8

  let database: StoreDatabase
  let transactions: Transactions
  let clock: StoreClock
  let random: StoreRandom
  let places: PlaceSource
  let identity: LibraryIdentity
  let edits: EditLog
  let cache: StoreCache
  let functions: RecordFunctions
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
    let opened = try folder.openForWriting(
      migrations: Schema.migrations,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds,
      using: &random
    ) { (connection, continuity) throws(StoreError) in
      guard continuity != .same else { return }
      try connection.adopt(fresh, places, library: library)
    }
    self.init(
      folder,
      opened.connection,
      isWritable: true,
      random: random,
      milliseconds: milliseconds
    )
    try load()
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
    guard let library = try folder.openForReading(newestVersion: Schema.version) else { return nil }
    guard library.version == Schema.version else {
      throw StoreError(
        code: .olderFormat,
        message: "the library has the format \(library.version)",
        hint: "any edit brings it to format \(Schema.version)"
      )
    }
    let store = ChangeStore(
      folder,
      library.connection,
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
    _ connection: consuming Connection,
    isReadable: Bool
  ) throws(StoreError) {
    self.init(
      folder,
      connection,
      isWritable: false,
      random: SystemRandomNumberGenerator(),
      milliseconds: systemMilliseconds
    )
    if isReadable { try load() }
  }

  private init(
    _ folder: LibraryFolder,
    _ connection: consuming Connection,
    isWritable: Bool,
    random: any RandomNumberGenerator,
    milliseconds: @escaping () -> Int64
  ) {
    self.folder = folder
    self.isWritable = isWritable
    self.random = StoreRandom(random)
    database = StoreDatabase(connection)
    clock = StoreClock(milliseconds: milliseconds)
    edits = EditLog(database, clock)
    transactions = Transactions(database, edits, isWritable: isWritable)
    places = PlaceSource(database, self.random)
    identity = LibraryIdentity(database, places, self.random)
    cache = StoreCache(database)
    functions = RecordFunctions(database)
    bindings = BindingTable(database, transactions, identity)
    members = MemberTable(database, transactions, clock, self.random)
    peers = PeerTable(database, transactions, clock, identity)
    links = LinkTable(database, transactions)
    authors = AuthorNames(database)
  }

  /// Reads who the library is, and how wrong its clock.
  private func load() throws(StoreError) {
    try loadClockOffset()
    try identity.load()
  }

  /// The prepared statement of a query.
  func box(_ query: Query) throws(StoreError) -> PreparedQueries.Box { try database.box(query) }
}
