internal import PaletteMerge
package import PaletteModel

/// The names of authors, as far as this library knows them; names are claims.
package final class AuthorNames {
  private let database: StoreDatabase

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// The name of the member or the peer whose library has a node id; nil if there is none.
  package func memberName(of node: NodeID) throws(StoreError) -> String? {
    let select = try database.box(.nameOfLibrary)
    try select.statement.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.statement.row { $0.text(0) }
  }

  /// The name of a member that edits through this library; nil where it has none.
  package func name(of author: AuthorID) throws(StoreError) -> String? {
    if author == .library { return nil }
    let select = try database.box(.nameOfMember)
    try select.statement.bind(author.rawValue, at: 1)
    let name = try select.statement.row { $0.text(0) }
    return name?.isEmpty == true ? nil : name
  }

  /// The name that the author of changes in a palette claims; nil if it claims none.
  ///
  /// Others may write into its record: that counts for nothing.
  package func claimedName(of node: NodeID, in id: PaletteID) throws(StoreError) -> String? {
    try claim(of: node, in: id)?.name
  }

  /// The number of the change by which an author says what it is called; nil where there is none.
  func introduction(of node: NodeID, in id: PaletteID) throws(StoreError) -> UInt32? {
    try claim(of: node, in: id)?.sequence
  }

  /// What all authors of a palette say to be called: who said so first here comes first.
  ///
  /// Stamps do not count: whoever takes another's name could say to have had it long before.
  package func claims(
    in id: PaletteID
  ) throws(StoreError) -> [(node: NodeID, name: String)] {
    var nodes: [NodeID] = []
    let select = try database.prepare(
      "SELECT node FROM stream JOIN palette ON palette.id = stream.palette WHERE palette.uuid = ?1"
    )
    try select.bind(id.record, at: 1)
    try select.rows { nodes.append(NodeID(UInt64(bitPattern: $0.int64(0)))) }
    var claims: [(node: NodeID, name: String, arrival: Int64)] = []
    let arrival = try database.prepare("SELECT arrival FROM change WHERE id = ?1")
    for node in nodes {
      guard let claim = try claim(of: node, in: id) else { continue }
      try arrival.bind(claim.stream << 32 | Int64(claim.sequence), at: 1)
      claims.append((node, claim.name, try arrival.row { $0.int64(0) } ?? 0))
    }
    return claims.sorted { $0.arrival < $1.arrival }.map { ($0.node, $0.name) }
  }

  private func claim(
    of node: NodeID,
    in id: PaletteID
  ) throws(StoreError) -> (name: String, sequence: UInt32, stream: Int64)? {
    let select = try database.box(.claimedName)
    try select.statement.bind(id.record, at: 1)
    try select.statement.bind(Int64(bitPattern: node.rawValue), at: 2)
    try select.statement.bind(RecordID.author(node), at: 3)
    return try select.statement.row {
      ($0.text(0), UInt32(truncatingIfNeeded: $0.int64(1)), $0.int64(2))
    }
  }
}

extension Query {
  fileprivate static let nameOfMember = Query("SELECT name FROM member WHERE id = ?1")
  fileprivate static let nameOfLibrary = Query(
    """
    SELECT member.name FROM binding JOIN member ON member.library = binding.library
    WHERE binding.node = ?1 AND member.name <> ''
    UNION ALL
    SELECT name FROM peer WHERE name <> ''
    AND (node = ?1 OR library = (SELECT library FROM binding WHERE node = ?1))
    LIMIT 1
    """
  )
  fileprivate static let claimedName = Query(
    """
    SELECT record.name, \(ValueNumber.sequence(ofValue: "record.nameDot")), stream.id FROM palette
    JOIN stream ON stream.palette = palette.id AND stream.node = ?2
    JOIN record ON record.palette = palette.id AND record.uuid = ?3 AND record.name <> ''
    AND stream.id = \(ValueNumber.stream(ofValue: "record.nameDot"))
    WHERE palette.uuid = ?1
    """
  )
}
