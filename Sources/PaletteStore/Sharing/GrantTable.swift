import PaletteMerge
import PaletteModel

/// The grants: what members may do, and what join codes offer.
struct GrantTable {
  private let database: StoreDatabase

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// All grants, the oldest first.
  func all() throws(StoreError) -> [StoredGrant] {
    var grants: [StoredGrant] = []
    try database.prepare("\(Query.grants) ORDER BY id").rows { row throws(StoreError) in
      grants.append(try StoredGrant(row))
    }
    return grants
  }

  /// All grants that a member has had.
  func grants(of member: Int64) throws(StoreError) -> [StoredGrant] {
    var grants: [StoredGrant] = []
    let select = try database.box(.grantsOfMember)
    try select.statement.bind(member, at: 1)
    try select.statement.rows { row throws(StoreError) in grants.append(try StoredGrant(row)) }
    return grants
  }

  /// The grant that a join code offers, whatever has become of it.
  func grant(offeredBy code: [UInt8]) throws(StoreError) -> StoredGrant? {
    let select = try database.prepare("\(Query.grants) WHERE code = ?1")
    try select.bind(SecretHash(of: code).bytes, at: 1)
    return try select.row { row throws(StoreError) in try StoredGrant(row) }
  }

  /// Adds a grant, to a member or to whoever shows a code.
  func insert(
    _ grant: Grant,
    uid: String,
    member: Int64?,
    parent: String?,
    name: String?,
    created: Int64,
    code: SecretHash?,
    codeExpires: Int64?
  ) throws(StoreError) {
    let insert = try database.prepare(
      """
      INSERT INTO granted(uid, member, parent, name, role, palette, created, expires, code, codeExpires)
      VALUES \(Query.row(of: 10))
      """
    )
    try insert.bind(uid, at: 1)
    try insert.bind(member, at: 2)
    try insert.bind(parent, at: 3)
    try insert.bind(name, at: 4)
    try insert.bind(grant.role.rawValue, at: 5)
    try insert.bind(grant.palette?.record.bytes, at: 6)
    try insert.bind(created, at: 7)
    try insert.bind(grant.expiresMilliseconds, at: 8)
    try insert.bind(code?.bytes, at: 9)
    try insert.bind(codeExpires, at: 10)
    try insert.run()
  }

  /// Gives a grant to a member.
  func give(_ grant: StoredGrant, to member: Member) throws(StoreError) {
    let update = try database.prepare("UPDATE granted SET member = ?2 WHERE uid = ?1")
    try update.bind(grant.uid, at: 1)
    try update.bind(member.id, at: 2)
    try update.run()
  }

  /// Takes a grant back for ever, and all that was made by it.
  ///
  /// - Returns: The members whose grants ended; nil when there was no such grant, or it had ended.
  func revoke(_ uid: String, by revoker: AuthorID) throws(StoreError) -> [Int64]? {
    let update = try database.prepare(
      """
      WITH RECURSIVE ended(uid) AS (
        SELECT ?1 UNION SELECT granted.uid FROM granted JOIN ended ON granted.parent = ended.uid)
      UPDATE granted SET revoked = ?2 WHERE uid IN (SELECT uid FROM ended) AND NOT revoked
      RETURNING member
      """
    )
    try update.bind(uid, at: 1)
    try update.bind(revoker.rawValue + 1, at: 2)
    var members: [Int64]?
    try update.rows { row in
      members = (members ?? []) + (row.isNull(0) ? [] : [row.int64(0)])
    }
    return members
  }
}

extension Query {
  fileprivate static let grantsOfMember = Query("\(Self.grants) WHERE member = ?1")
}
