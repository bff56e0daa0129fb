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
    var nodes: [NodeID] = []
    try connection.prepare("SELECT node FROM identity ORDER BY id").rows {
      nodes.append(NodeID(UInt64(bitPattern: $0.int64(0))))
    }
    identities = nodes
    if let bytes = try connection.meta(.library), let id = RecordID(bytes: bytes) { library = id }
  }

  /// Goes on under a new node id, within a transaction.
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

  /// Goes on under a new node id when this was the present one, within a transaction.
  ///
  /// Changes of ours that come from elsewhere were made here and forgotten: these files are older
  /// than what others have seen, and nobody knows how many more there are.
  func stepAside(from node: NodeID) throws(StoreError) {
    guard node == self.node else { return }
    try adoptNode()
    forgettings += 1
  }

  /// Goes on under a new node id, for example because a peer gave the present one to another.
  public func adoptNewNode() throws(StoreError) {
    try write { _ throws(StoreError) in try adoptNode() }
  }

  /// Whether a change was made by this library, under any of its ids.
  public func isOwn(_ node: NodeID) -> Bool { identities.contains(node) }
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
