public import PaletteModel

extension MetaKey {
  /// The run tag of this node and the counter of its runs.
  static let placeGenerator = MetaKey("place.generator")
  /// The constant id of the library, which its copies share.
  static let library = MetaKey("library")
}

extension Connection {
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
}

extension ChangeStore {
  func loadIdentity() throws(StoreError) {
    try loadClockOffset()
    var ids = Identities()
    try connection.prepare("SELECT node, author FROM identity ORDER BY id").rows {
      ids.append(NodeID(UInt64(bitPattern: $0.int64(0))), of: AuthorID($0.int64(1)))
    }
    self.ids = ids
    if let bytes = try connection.meta(.library), let id = RecordID(bytes: bytes) { library = id }
  }

  /// The present id of an author, within a transaction.
  ///
  /// A member takes one with its first edit, and with the first after its last one was given up.
  func node(of author: AuthorID) throws(StoreError) -> NodeID {
    if let node = ids.present(of: author) { return node }
    let node = NodeID(using: &random)
    let insert = try connection.prepare("INSERT INTO identity(node, author) VALUES(?1, ?2)")
    try insert.bind(Int64(bitPattern: node.rawValue), at: 1)
    try insert.bind(author.rawValue, at: 2)
    try insert.run()
    ids.append(node, of: author)
    return node
  }

  /// The id under which an author makes changes; nil where it has to take one.
  package func presentNode(of author: AuthorID) -> NodeID? { ids.present(of: author) }

  /// Whether an author makes changes under an id now.
  package func isPresent(_ node: NodeID) -> Bool { ids.isPresent(node) }

  /// Goes on under a new node id, within a transaction; members take new ones too.
  func adoptNode() throws(StoreError) {
    try connection.adopt(
      NodeID(using: &random),
      PlaceGenerator(using: &random),
      library: library
    )
    generator = nil
    storedGenerator = nil
    try loadIdentity()
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

  /// Goes on under a new node id, for example because a peer gave the present one to another.
  public func adoptNewNode() throws(StoreError) {
    try write { _ throws(StoreError) in try adoptNode() }
  }

  /// Whether a change was made in this library, by any author under any of its ids.
  public func isOwn(_ node: NodeID) -> Bool { ids.author(of: node) != nil }

  /// Whether a change was made in this library by this author, under any id that it has had.
  public func isOwn(_ node: NodeID, by author: AuthorID) -> Bool { ids.author(of: node) == author }

  /// The author in this library that a node id stands for; nil when it is none of its ids.
  public func author(of node: NodeID) -> AuthorID? { ids.author(of: node) }
}

extension PlaceGenerator {
  /// The tag's three bytes and the counter.
  var storedBytes: [UInt8] { tag.bytes + [counter] }

  /// Reads what `storedBytes` wrote.
  init?(storedBytes bytes: [UInt8]) {
    guard bytes.count == 4, let tag = RunTag(bytes: bytes.prefix(3)) else { return nil }
    self.init(tag: tag, counter: bytes[3])
  }
}
