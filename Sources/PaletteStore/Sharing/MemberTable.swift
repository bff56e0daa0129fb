package import PaletteMerge
package import PaletteModel

/// The members, and the rights that they have by their grants.
package final class MemberTable {
  private let database: StoreDatabase
  private let transactions: Transactions
  private let clock: StoreClock
  private var random: StoreRandom
  private let granted: GrantTable
  /// The number of times, while the library is open, that the rights of each member may have
  /// changed; none for never.
  private var versions: [Int64: Int] = [:]
  /// Incremented whenever a member's rights may have changed.
  package private(set) var changeCount = 0
  private let seenTimes: SeenTimes
  /// The amounts that members have written.
  package let written: WrittenBytes

  init(
    _ database: StoreDatabase,
    _ transactions: Transactions,
    _ clock: StoreClock,
    _ random: StoreRandom
  ) {
    self.database = database
    self.transactions = transactions
    self.clock = clock
    self.random = random
    granted = GrantTable(database)
    seenTimes = SeenTimes(database, transactions, clock)
    written = WrittenBytes(database: database, transactions: transactions)
  }

  /// A number that is another one whenever a member's rights may have changed.
  package func version(of member: Int64) -> Int { versions[member] ?? 0 }

  /// All grants with their members, the newest first.
  package func grants() throws(StoreError) -> [(grant: StoredGrant, member: Member?)] {
    var members: [Int64: Member] = [:]
    try database.prepare(Query.members).rows { row throws(StoreError) in
      let member = try Member(row)
      members[member.id] = member
    }
    return try granted.all().reversed().map { grant in
      (grant, grant.member.flatMap { members[$0] })
    }
  }

  /// The grants of a member that count now.
  package func liveGrants(of member: Int64) throws(StoreError) -> [Grant] {
    try grants(of: member).filter { $0.counts(atMilliseconds: clock.nowMilliseconds) }.map(\.grant)
  }

  /// Offers a grant to whoever shows a join code first.
  ///
  /// - Parameters:
  ///   - grant: What the member will be allowed.
  ///   - secret: The secret of the code; only its hash is kept.
  ///   - codeExpiresMilliseconds: Until when the code can be redeemed.
  ///   - name: What the member shall be called.
  ///   - maker: The member that shares; nil for this library itself.
  /// - Returns: The id of the grant, for commands.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  package func offer(
    _ grant: Grant,
    code secret: [UInt8],
    codeExpiresMilliseconds: Int64?,
    name: String? = nil,
    maker: Int64? = nil
  ) throws(StoreError) -> String {
    try transactions.write { () throws(StoreError) in
      try insert(
        grant,
        to: nil,
        name: name,
        maker: maker,
        code: SecretHash(of: secret),
        codeExpires: codeExpiresMilliseconds
      )
    }
  }

  /// Lets a script or a page in.
  ///
  /// - Returns: The member, and the id of its grant.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  package func makeMember(
    _ kind: MemberKind,
    secret: [UInt8],
    grant: Grant,
    name: String = "",
    maker: Int64? = nil
  ) throws(StoreError) -> (member: Member, grant: String) {
    try transactions.write { () throws(StoreError) in
      let member = try insertMember(kind, secret, name: name, library: nil)
      // The member may take another name, but its grant is still found by the one that its maker gave.
      let given = name.isEmpty ? nil : name
      let grant = try insert(grant, to: member.id, name: given, maker: maker)
      return (member, grant)
    }
  }

  /// A grant as a member can make it: what its right to share makes ends with that right.
  ///
  /// - Parameters:
  ///   - grant: What shall be allowed.
  ///   - maker: The member that shares; nil for this library itself.
  /// - Returns: The same for no longer than the member may share.
  /// - Throws: `StoreError` when the member may share no more, or the store failed.
  package func grant(_ grant: Grant, madeBy maker: Int64?) throws(StoreError) -> Grant {
    guard let parent = try maker.map(parent) else { return grant }
    let end = Self.first(grant.expiresMilliseconds, parent.grant.expiresMilliseconds)
    return Grant(grant.role, on: grant.palette, expiresMilliseconds: end)
  }

  /// The grant by which a member shares: of several that let it the one that lasts longest.
  ///
  /// What is made ends with this one, even where the member has another: so it is known when it is made.
  private func parent(_ maker: Int64) throws(StoreError) -> StoredGrant {
    let owning = try grants(of: maker).filter {
      $0.counts(atMilliseconds: clock.nowMilliseconds) && Trust.member([$0.grant]).shares
    }
    let longest = owning.min {
      $0.grant.expiresMilliseconds ?? .max > $1.grant.expiresMilliseconds ?? .max
    }
    guard let longest else {
      throw StoreError(code: .failed, message: "the right to share has ended")
    }
    return longest
  }

  /// The earlier of two ends, of which nil is none.
  private static func first(_ end: Int64?, _ other: Int64?) -> Int64? {
    [end, other].compactMap(\.self).min()
  }

  /// Takes a grant back for ever, and all that was made by it.
  ///
  /// - Parameters:
  ///   - uid: The grant.
  ///   - revoker: Whoever takes it back.
  /// - Returns: False when there is no such grant.
  /// - Throws: `StoreError` when the store failed.
  package func revokeGrant(
    _ uid: String,
    by revoker: AuthorID = .library
  ) throws(StoreError) -> Bool {
    changeCount += 1
    return try transactions.write { () throws(StoreError) in
      guard let members = try granted.revoke(uid, by: revoker) else { return false }
      for member in members { versions[member, default: 0] += 1 }
      return true
    }
  }

  /// The author who took the rights back of a member that has none left; of several the one of the newest.
  ///
  /// - Parameter secret: What the member shows.
  /// - Returns: The author; nil where nobody did, or nobody has this secret.
  /// - Throws: `StoreError` when the store failed.
  package func revoker(ofSecret secret: [UInt8]) throws(StoreError) -> AuthorID? {
    guard let member = try member(hash: SecretHash(of: secret)) else { return nil }
    return try grants(of: member.id).last(where: \.isRevoked)?.revoker
  }

  /// Ends the grants of a member for a palette, or with nil all of them.
  package func giveBack(_ palette: PaletteID?, by member: Int64) throws(StoreError) {
    for grant in try grants(of: member) where palette == nil || grant.grant.palette == palette {
      _ = try revokeGrant(grant.uid)
    }
  }

  /// The time that a session of the page lasts that nobody uses: 30 days.
  package static let pageMilliseconds: Int64 = 30 * 86_400_000

  /// Finds the member whose secret a caller of the API shows.
  package func caller(
    secret: [UInt8]
  ) throws(StoreError) -> Result<(member: Member, grants: [Grant]), LoginRefusal> {
    // What machines show is good for syncing alone.
    guard let member = try member(hash: SecretHash(of: secret)), member.kind != .machine,
      member.kind != .public
    else {
      return .failure(.unknown)
    }
    if member.kind == .page, let seen = member.lastSeenMilliseconds,
      clock.nowMilliseconds - seen > Self.pageMilliseconds
    {
      return .failure(.expired)
    }
    let all = try grants(of: member.id)
    let live = all.filter { $0.counts(atMilliseconds: clock.nowMilliseconds) }.map(\.grant)
    if live.isEmpty { return .failure(all.contains(where: \.isRevoked) ? .revoked : .expired) }
    return .success((member, live))
  }

  /// Records that a member was there, as exactly as `SeenTimes` says.
  ///
  /// In a library with a log it goes along with the next commit, if one comes within a day.
  package func recordSeen(_ member: Member) throws(StoreError) { _ = try seen(member) }

  /// Records that a member was there, and gives it as it is recorded then.
  func seen(_ member: Member) throws(StoreError) -> Member { try seenTimes.record(member) }

  /// Gives a member the name that it wants to have.
  package func rename(_ member: Int64, to name: String) throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      let update = try database.prepare("UPDATE member SET name = ?2 WHERE id = ?1")
      try update.bind(member, at: 1)
      try update.bind(name, at: 2)
      try update.run()
    }
    // Whoever keeps what a member is reads it again.
    countChange(of: member)
  }

  /// The hash of the secret of a machine, or of a join code, that begins with some bytes.
  package func secretHash(beginning bytes: [UInt8]) throws(StoreError) -> SecretHash? {
    for (table, column) in [("member", "hash"), ("granted", "code")] {
      let select = try database.prepare(
        "SELECT \(column) FROM \(table) WHERE \(column) >= ?1 ORDER BY \(column) LIMIT 1"
      )
      try select.bind(bytes, at: 1)
      let found = try select.row { $0.bytes(0) }
      if let found, found.starts(with: bytes) { return SecretHash(bytes: found) }
    }
    return nil
  }

  /// The grants by which palettes are published now.
  package func publicGrants() throws(StoreError) -> [StoredGrant] {
    try grants().filter { grant, member in
      member?.kind == .public && grant.counts(atMilliseconds: clock.nowMilliseconds)
    }.map(\.grant)
  }

  // MARK: Rows, within a transaction

  /// Records that a library came back.
  func update(
    _ member: Member,
    _ introduction: Login
  ) throws(StoreError) -> Member {
    var member = member
    member.node = introduction.node
    member.lastSeenMilliseconds = clock.nowMilliseconds
    if member.name.isEmpty { member.name = introduction.name }
    let update = try database.prepare(
      "UPDATE member SET node = ?2, seen = ?3, name = ?4 WHERE id = ?1"
    )
    try update.bind(member.id, at: 1)
    try update.bind(Int64(bitPattern: introduction.node.rawValue), at: 2)
    try update.bind(clock.nowMilliseconds, at: 3)
    try update.bind(member.name, at: 4)
    try update.run()
    return member
  }

  /// Returns whether an id is that of a library that is, or was, a member, or of a hub that was
  /// joined.
  func isKnown(_ library: RecordID) throws(StoreError) -> Bool {
    let select = try database.prepare(
      """
      SELECT EXISTS(SELECT 1 FROM member WHERE library = ?1)
        OR EXISTS(SELECT 1 FROM peer WHERE library = ?1)
      """
    )
    try select.bind(library, at: 1)
    return try select.row { $0.int64(0) } == 1
  }

  /// Counts that rights may change: those of a member, or of one that is to come.
  func countChange(of member: Int64?) {
    changeCount += 1
    if let member { versions[member, default: 0] += 1 }
  }

  /// The grant that a join code offers, whatever has become of it.
  func grant(offeredBy code: [UInt8]) throws(StoreError) -> StoredGrant? {
    try granted.grant(offeredBy: code)
  }

  /// Gives a grant to a member.
  func give(_ grant: StoredGrant, to member: Member) throws(StoreError) {
    try granted.give(grant, to: member)
  }

  /// Adds a member.
  func insertMember(
    _ kind: MemberKind,
    _ secret: [UInt8],
    name: String,
    library: RecordID?
  ) throws(StoreError) -> Member {
    changeCount += 1
    let id = try countedNumber()
    let insert = try database.prepare(
      """
      INSERT INTO member(uid, name, kind, hash, library, created, seen, id)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    )
    let uid = makeUID()
    try insert.bind(uid, at: 1)
    try insert.bind(name, at: 2)
    try insert.bind(kind.rawValue, at: 3)
    try insert.bind(SecretHash(of: secret).bytes, at: 4)
    try insert.bind(library?.bytes, at: 5)
    try insert.bind(clock.nowMilliseconds, at: 6)
    try insert.bind(kind == .page ? clock.nowMilliseconds : nil, at: 7)
    try insert.bind(id, at: 8)
    try insert.run()
    return Member(id: id, uid: uid, name: name, kind: kind, library: library)
  }

  /// A number that no member has had.
  private func countedNumber() throws(StoreError) -> Int64 {
    let last = try database.meta(.lastMember).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    let number = (last ?? 0) + 1
    try database.setMeta(.lastMember, Array("\(number)".utf8))
    return number
  }

  private func insert(
    _ grant: Grant,
    to member: Int64?,
    name: String?,
    maker: Int64?,
    code: SecretHash? = nil,
    codeExpires: Int64? = nil
  ) throws(StoreError) -> String {
    countChange(of: member)
    let parent = try maker.map(parent)
    let end = parent?.grant.expiresMilliseconds
    let uid = makeUID()
    try granted.insert(
      Grant(
        grant.role,
        on: grant.palette,
        expiresMilliseconds: Self.first(grant.expiresMilliseconds, end)
      ),
      uid: uid,
      member: member,
      parent: parent?.uid,
      name: name,
      created: clock.nowMilliseconds,
      code: code,
      codeExpires: Self.first(codeExpires, end)
    )
    return uid
  }

  private func makeUID() -> String {
    String(UInt64.random(in: .min ... .max, using: &random).hexDigits.prefix(8))
  }

  /// The member that a secret is of.
  package func member(hash: SecretHash) throws(StoreError) -> Member? {
    let select = try database.box(.member)
    try select.statement.bind(hash.bytes, at: 1)
    return try select.statement.row { row throws(StoreError) in try Member(row) }
  }

  /// The member with a number; nil when there is none, or no more.
  package func member(_ id: Int64) throws(StoreError) -> Member? {
    let select = try database.prepare("\(Query.members) WHERE id = ?1")
    try select.bind(id, at: 1)
    return try select.row { row throws(StoreError) in try Member(row) }
  }

  /// All grants that a member has had.
  package func grants(of member: Int64) throws(StoreError) -> [StoredGrant] {
    try granted.grants(of: member)
  }
}

extension Query {
  static let member = Query("\(Self.members) WHERE hash = ?1")
}
