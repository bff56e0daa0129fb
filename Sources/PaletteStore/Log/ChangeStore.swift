public import PaletteModel

/// The change log of a library, and the state that it amounts to, in SQLite.
///
/// Everything here is synchronous, and belongs to whoever made it: one actor or one thread. Clock
/// and randomness come from outside, so that a fleet of stores runs inside one test.
public final class ChangeStore {
  /// The folder of the library.
  public let folder: LibraryFolder
  /// The ids that this library has had, and whose each is.
  var ids = Identities()
  /// How often, while this is open, changes came back that were made here and forgotten.
  public internal(set) var rollbackCount = 0

  /// The id of the library, which its copies share and which stays when the node id changes.
  public internal(set) var library = RecordID(high: 0, low: 0)

  /// What is added to the clock for stamps, because peers say that it is wrong; usually 0.
  public internal(set) var clockOffsetMilliseconds: Int64 = 0

  /// What was made durable, for whoever asks for it afterwards.
  private var commits = CommitQueue()

  /// The most records of a transaction whose shown values are kept at hand, where state is kept.
  package static let recordsAtHand = 8

  /// How many transactions were committed since the library was opened.
  public internal(set) var commitCount = 0

  /// When the writes of the last group became durable, for those who measure.
  public internal(set) var groupCommitted: ContinuousClock.Instant?

  /// Incremented whenever a member's rights may have changed.
  public internal(set) var memberChanges = 0
  /// How often, while this is open, the rights of each member may have changed; nothing for never.
  var memberVersions: [Int64: Int] = [:]

  /// What the owner of the library wants to be called; empty for nothing.
  public var nameOfOwner: () -> String = { "" }
  /// The names of its authors that are known to stand in palettes.
  var introductions: [AuthorClaim: String] = [:]

  /// The edit that goes on, where its maker gave it a name.
  var namedEdit: NamedEdit?

  /// The writes that are to be committed together, while that goes on.
  var group: WriteGroup?
  /// The group's newest write, which is taken apart while the disk writes.
  var retiring: WriteTransaction?

  /// Whether the write-ahead log has the length on disk that it will have.
  var hasLongLog = true

  let connection: Connection
  let isWritable: Bool
  var random: any RandomNumberGenerator
  /// Where places come from; read when it is first needed, and again after a transaction failed.
  var generator: PlaceGenerator?
  var storedGenerator: PlaceGenerator?
  /// The orders of lists that were asked for; nil where none are kept.
  var orders: RecentCache<PaletteID, ListOrder>?
  /// The rows of palettes; nil where none are kept.
  var kept: PaletteCache?
  private var feed: RecordFeed?
  private var filter: RecordFilter?
  private let queries = PreparedQueries()
  private let milliseconds: () -> Int64
  private var stamps = StampClock()

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
    try loadIdentity()
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
    try store.loadIdentity()
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
    if isReadable { try loadIdentity() }
  }

  private init(
    _ folder: LibraryFolder,
    _ connection: consuming Connection,
    isWritable: Bool,
    random: any RandomNumberGenerator,
    milliseconds: @escaping () -> Int64
  ) {
    self.folder = folder
    self.connection = connection
    self.isWritable = isWritable
    self.random = random
    self.milliseconds = milliseconds
  }

  /// The present id of this node, under which the library itself makes changes.
  public var node: NodeID { ids.node }

  /// All ids that this library has had, those of members who edit through it too.
  public var identities: [NodeID] { ids.all }

  /// A number that is another one whenever a member's rights may have changed.
  package func version(ofMember id: Int64) -> Int { memberVersions[id] ?? 0 }

  /// The reading of the node's clock.
  public var nowMilliseconds: Int64 { milliseconds() }

  /// The stamp of the next change made here.
  func nextStamp() -> Stamp { stamps.next(milliseconds: correctedMilliseconds) }

  /// What lends rows to `Query.updateRecords`.
  func recordFeed() throws(StoreError) -> RecordFeed {
    if let feed { return feed }
    let new = RecordFeed()
    try new.register(on: connection)
    feed = new
    return new
  }

  /// What `Query.recordsFrom` stops at.
  func recordFilter() throws(StoreError) -> RecordFilter {
    if let filter { return filter }
    let new = RecordFilter()
    try new.register(on: connection)
    filter = new
    return new
  }

  /// Whether what becomes durable is kept for `takeCommitted`.
  public var followsCommits: Bool {
    get { commits.isOpen }
    set { commits.isOpen = newValue }
  }

  /// Whether anything became durable that was not taken.
  public var hasCommitted: Bool { !commits.isEmpty }

  /// Takes what became durable since, palette by palette, in the order of the commits.
  ///
  /// Nobody is called in the middle of a commit: whoever wrote asks when it is done with deciding.
  public func takeCommitted() -> [CommittedChanges] { commits.take() }

  /// Keeps what a transaction made durable.
  func keep(_ committed: [CommittedChanges]) { commits.add(committed) }

  /// The prepared statement of a query.
  func box(_ query: Query) throws(StoreError) -> PreparedQueries.Box {
    try queries.box(query, on: connection)
  }
}
