package import PaletteModel

/// The node ids of each library.
///
/// A member may take an id of which nothing is held here; later nobody else may speak under it. So
/// the author of a change is whoever made it, as far as this library can tell.
package final class BindingTable {
  private let database: StoreDatabase
  private let transactions: Transactions
  private let identity: LibraryIdentity

  /// The most ids of one library of which nothing is held; older ones are given up.
  package static let unusedBindings = 64

  init(_ database: StoreDatabase, _ transactions: Transactions, _ identity: LibraryIdentity) {
    self.database = database
    self.transactions = transactions
    self.identity = identity
  }

  /// All bindings.
  ///
  /// - Parameter used: Whether only those are meant under which a change is held: the others are what
  ///   members claim.
  /// - Returns: The ids and the libraries that they belong to.
  /// - Throws: `StoreError` when the store failed.
  package func all(
    used: Bool = false
  ) throws(StoreError) -> [(node: NodeID, library: RecordID)] {
    let isUsed = "EXISTS(SELECT 1 FROM stream WHERE stream.node = binding.node AND held > 0)"
    var bindings: [(NodeID, RecordID)] = []
    try database.prepare("SELECT node, library FROM binding\(used ? " WHERE \(isUsed)" : "")")
      .rows { row throws(StoreError) in
        bindings.append((NodeID(UInt64(bitPattern: row.int64(0))), try row.recordID(1)))
      }
    return bindings
  }

  /// Takes bindings from a peer that is believed.
  ///
  /// They count for more than what members claim, so long as no change is held under an id: somebody
  /// may have heard of it elsewhere. What is bound and used stays.
  ///
  /// - Returns: Those that were not known, and the libraries whose claims were none.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  package func learn(
    _ bindings: [(node: NodeID, library: RecordID)]
  ) throws(StoreError) -> (new: [(node: NodeID, library: RecordID)], losers: Set<RecordID>) {
    var new: [(node: NodeID, library: RecordID)] = []
    var losers: Set<RecordID> = []
    for binding in bindings where !identity.isOwn(binding.node) {
      let owner = try library(of: binding.node)
      if owner == binding.library { continue }
      if let owner {
        guard try !holdsChange(of: binding.node) else { continue }
        losers.insert(owner)
      }
      new.append(binding)
    }
    guard !new.isEmpty else { return ([], []) }
    try transactions.write { () throws(StoreError) in
      let forget = try database.prepare("DELETE FROM binding WHERE node = ?1")
      for binding in new {
        try forget.bind(Int64(bitPattern: binding.node.rawValue), at: 1)
        try forget.run()
        try bind([binding.node], to: binding.library)
      }
    }
    return (new, losers)
  }

  /// Returns whether any change of a node id is held.
  private func holdsChange(of node: NodeID) throws(StoreError) -> Bool {
    let select = try database.prepare("SELECT 1 FROM stream WHERE node = ?1 AND held > 0 LIMIT 1")
    try select.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.row { $0.int64(0) } != nil
  }

  /// Binds those of some ids to a member's library that it may have, as far as they are not bound.
  ///
  /// - Returns: Those that were bound.
  package func claim(
    _ nodes: [NodeID],
    for library: RecordID
  ) throws(StoreError) -> [NodeID] {
    var new: [NodeID] = []
    for node in nodes where !identity.isOwn(node) {
      if try self.library(of: node) == nil, try canBind(node, to: library) { new.append(node) }
    }
    guard !new.isEmpty else { return [] }
    try transactions.write { () throws(StoreError) in try bind(new, to: library) }
    return new
  }

  /// The ids that are bound to a library.
  package func nodes(boundTo library: RecordID) throws(StoreError) -> Set<NodeID> {
    var nodes: Set<NodeID> = []
    let select = try database.prepare("SELECT node FROM binding WHERE library = ?1")
    try select.bind(library, at: 1)
    try select.rows { nodes.insert(NodeID(UInt64(bitPattern: $0.int64(0)))) }
    return nodes
  }

  /// Returns whether no member can claim an id any more: whose it is, or a change under it, is
  /// known here.
  ///
  /// - Throws: `StoreError` when the store failed.
  package func isTaken(_ node: NodeID) throws(StoreError) -> Bool {
    if identity.isOwn(node) { return true }
    if try library(of: node) != nil { return true }
    return try isHeardOf(node)
  }

  /// Returns whether an id is the library's, or can become it: nobody else's, and of no change held
  /// here.
  func canBind(_ node: NodeID, to library: RecordID) throws(StoreError) -> Bool {
    if let owner = try self.library(of: node) { return owner == library }
    return try !isHeardOf(node)
  }

  /// Returns whether a change of a node id is held, or a held one of somebody else says to have
  /// seen one: whoever reads that one learns of the id.
  private func isHeardOf(_ node: NodeID) throws(StoreError) -> Bool {
    let select = try database.prepare(
      """
      WITH RECURSIVE marked(palette) AS (
        SELECT min(palette) FROM ahead
        UNION ALL SELECT (SELECT min(palette) FROM ahead WHERE palette > marked.palette)
          FROM marked WHERE marked.palette NOT NULL)
      SELECT EXISTS(SELECT 1 FROM stream WHERE node = ?1 AND (held > 0 OR dropped > 0))
        OR EXISTS(SELECT 1 FROM marked JOIN ahead USING (palette) WHERE node = ?1)
      """
    )
    try select.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.row { $0.int64(0) } == 1
  }

  /// Binds ids to a library, within a transaction.
  func bind(_ nodes: [NodeID], to library: RecordID) throws(StoreError) {
    guard !nodes.isEmpty else { return }
    let insert = try database.prepare(
      "INSERT OR IGNORE INTO binding(node, library) VALUES(?1, ?2)"
    )
    for node in nodes {
      try insert.bind(Int64(bitPattern: node.rawValue), at: 1)
      try insert.bind(library, at: 2)
      try insert.run()
    }
    try giveUpUnused(of: library, sparing: nodes)
  }

  /// Whoever comes under ever new ids keeps the last ones.
  private func giveUpUnused(of library: RecordID, sparing: [NodeID]) throws(StoreError) {
    var unused: [NodeID] = []
    let select = try database.prepare(
      """
      SELECT node FROM binding WHERE library = ?1
      AND NOT EXISTS(SELECT 1 FROM stream WHERE stream.node = binding.node AND held > 0)
      """
    )
    try select.bind(library, at: 1)
    try select.rows { unused.append(NodeID(UInt64(bitPattern: $0.int64(0)))) }
    let spare = unused.filter { !sparing.contains($0) }
    let surplus = unused.count - Self.unusedBindings
    guard surplus > 0 else { return }
    let delete = try database.prepare("DELETE FROM binding WHERE node = ?1")
    for node in spare.prefix(surplus) {
      try delete.bind(Int64(bitPattern: node.rawValue), at: 1)
      try delete.run()
    }
  }

  /// The library that a node id is bound to.
  package func library(of node: NodeID) throws(StoreError) -> RecordID? {
    let select = try database.box(.libraryOfNode)
    try select.statement.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.statement.row { row throws(StoreError) in try row.recordID(0) }
  }
}

extension Query {
  fileprivate static let libraryOfNode = Query("SELECT library FROM binding WHERE node = ?1")
}
