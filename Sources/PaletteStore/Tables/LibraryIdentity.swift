import PaletteMerge
import PaletteModel

extension MetaKey {
  /// The constant id of the library, which its copies share.
  static let library = MetaKey("library")
  /// A random key from which the library's secrets at hubs, and second halves of the page's
  /// sessions are made; nobody is told.
  static let memberKey = MetaKey("member.key")
  /// The number of the newest member, as text: numbers of members that are gone do not come again.
  static let lastMember = MetaKey("member.last")
}

extension DatabaseConnection {
  /// Gives the library a new node id, and a run tag that no copy of it has.
  ///
  /// The library's own id is made once, and stays.
  func adopt(
    _ node: NodeID,
    _ places: PlaceGenerator,
    library: RecordID
  ) throws(StoreError) {
    if try meta(.library) == nil { try setMeta(.library, library.bytes) }
    let insert = try prepare("INSERT INTO identity(node) VALUES(?1)")
    try insert.bind(Int64(bitPattern: node.rawValue), at: 1)
    try insert.run()
    try setMeta(.placeGenerator, places.storedBytes)
  }

  /// Gives the library its key for hubs where it has none: it is made once, and stays.
  func adopt(memberKey: [UInt8]) throws(StoreError) {
    if try meta(.memberKey) == nil { try setMeta(.memberKey, memberKey) }
  }
}

/// The identity of a library: its constant id, and the node ids under which it and its members make
/// changes.
final class LibraryIdentity {
  /// The length of a machine's secret, which it makes itself.
  static let secretBytes = 32

  private let database: StoreDatabase
  private let places: PlaceSource
  private var random: StoreRandom
  /// The id that copies of the library share, and which stays when the node id changes.
  private(set) var library = RecordID(high: 0, low: 0)
  /// The ids that the library has had, and whose each is.
  private(set) var ids = Identities()
  /// The number of times, since it was opened, that changes came back that were made here and
  /// forgotten.
  private(set) var rollbackCount = 0

  init(_ database: StoreDatabase, _ places: PlaceSource, _ random: StoreRandom) {
    self.database = database
    self.places = places
    self.random = random
  }

  /// Reads what the tables say.
  func load() throws(StoreError) {
    var ids = Identities()
    try database.prepare("SELECT node, author FROM identity ORDER BY id").rows {
      ids.append(NodeID(UInt64(bitPattern: $0.int64(0))), of: AuthorID($0.int64(1)))
    }
    self.ids = ids
    if let bytes = try database.meta(.library), let id = RecordID(bytes: bytes) { library = id }
  }

  /// Makes a key that a library keeps from its beginning.
  static func makeMemberKey(using random: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// The secret by which a hub knows this library as its member.
  ///
  /// It is made before the hub is asked, and is the same after a lost answer, a crash, or a return to
  /// an older backup, so that the member's own secret is all that it is ever known by. No other
  /// hub learns it: it depends on the hub's key, or on its address where it has none.
  func memberSecret(at hub: JoinTicket) throws(StoreError) -> [UInt8] {
    var secret = try keyedHash("hued member")
    secret.update((hub.library ?? RecordID(high: 0, low: 0)).bytes)
    secret.update(hub.pin)
    if hub.pin.isEmpty { secret.update(Array((hub.addresses.first ?? "").utf8)) }
    return secret.finalize()
  }

  /// The second half of a session of the page, which the cookie of the session does not tell.
  func pageHalf(of secret: [UInt8]) throws(StoreError) -> [UInt8] {
    var half = try keyedHash("hued page")
    half.update(secret)
    return half.finalize()
  }

  private func keyedHash(_ purpose: String) throws(StoreError) -> BLAKE2b {
    guard let key = try database.meta(.memberKey) else {
      throw StoreError(
        code: .corrupt,
        message: "the library's key is missing",
        hint: "go back to a backup with 'hued recover'"
      )
    }
    var hash = BLAKE2b(resultLength: LibraryIdentity.secretBytes, key: key)
    hash.update(Array(purpose.utf8))
    return hash
  }

  /// Goes back to the ids of before a transaction that was undone.
  func restore(_ ids: Identities) { self.ids = ids }

  /// The present id of an author, within a transaction.
  ///
  /// A member takes one with its first edit, and with the first after its last one was given up.
  func node(of author: AuthorID) throws(StoreError) -> NodeID {
    if let node = ids.present(of: author) { return node }
    return try adoptNode(of: author)
  }

  /// Gives one author a new node id, within a transaction.
  @discardableResult
  func adoptNode(of author: AuthorID) throws(StoreError) -> NodeID {
    let node = NodeID(using: &random)
    let insert = try database.prepare("INSERT INTO identity(node, author) VALUES(?1, ?2)")
    try insert.bind(Int64(bitPattern: node.rawValue), at: 1)
    try insert.bind(author.rawValue, at: 2)
    try insert.run()
    ids.append(node, of: author)
    return node
  }

  /// Goes on under a new node id, within a transaction; members take new ones too.
  func adoptNode() throws(StoreError) {
    try database.connection.adopt(
      NodeID(using: &random),
      PlaceGenerator(using: &random),
      library: library
    )
    places.replace()
    try load()
  }

  /// Goes on under new node ids when this is a present one, within a transaction.
  ///
  /// Changes of ours that come from elsewhere were made here and forgotten: these files are older
  /// than what others have seen, and nobody knows how many more there are, nor of which authors.
  func abandonNodeID(from node: NodeID) throws(StoreError) {
    guard ids.isPresent(node) else { return }
    try adoptNode()
    rollbackCount += 1
  }

  /// Returns whether a change was made in this library, by any author under any of its ids.
  func isOwn(_ node: NodeID) -> Bool { ids.author(of: node) != nil }
}

/// The node ids that a library has had, and the author that each stands for.
///
/// The present id of an author is its last one. When the library takes a new id, those of all other
/// authors are given up with the old one: these files may be older than what others have seen, and
/// no number of any of them may be used twice.
struct Identities {
  /// All ids, in the order in which they were taken.
  private(set) var all: [NodeID] = []
  private var authors: [NodeID: AuthorID] = [:]
  private var present: [AuthorID: NodeID] = [:]
  /// The present id of the library itself.
  private(set) var node = NodeID(0)

  /// Adds an id that was taken after all others.
  mutating func append(_ id: NodeID, of author: AuthorID) {
    if author == .library {
      present = [:]
      node = id
    }
    all.append(id)
    authors[id] = author
    present[author] = id
  }

  /// The author that an id stands for; nil when it is none of this library's.
  func author(of id: NodeID) -> AuthorID? { authors[id] }

  /// The present id of an author; nil where it has to take one.
  func present(of author: AuthorID) -> NodeID? {
    author == .library && !all.isEmpty ? node : present[author]
  }

  /// Returns whether changes are made under an id now.
  func isPresent(_ id: NodeID) -> Bool { authors[id].map { present[$0] == id } ?? false }
}

/// Whoever makes changes in a library: the library itself, or a member that edits through it.
public struct AuthorID: Hashable, Sendable {
  /// 0 for the library itself, else the number of the member.
  public let rawValue: Int64

  /// Names an author by its number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number of the member; nil for the library itself.
  public var member: Int64? { self == .library ? nil : rawValue }

  /// The library itself.
  public static let library = AuthorID(0)
}
