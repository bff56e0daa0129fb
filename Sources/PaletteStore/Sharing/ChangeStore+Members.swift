public import PaletteModel

/// Who is let in, and what they may do.
extension ChangeStore {
  /// All grants with their members, the newest first.
  public func grants() throws(StoreError) -> [(grant: StoredGrant, member: Member?)] {
    var members: [Int64: Member] = [:]
    try connection.prepare(Query.members).rows { row throws(StoreError) in
      let member = try Member(row)
      members[member.id] = member
    }
    var grants: [(StoredGrant, Member?)] = []
    try connection.prepare("\(Query.grants) ORDER BY id DESC").rows {
      row throws(StoreError) in
      let grant = try StoredGrant(row)
      grants.append((grant, grant.member.flatMap { members[$0] }))
    }
    return grants
  }

  /// The grants of a member that count now.
  public func liveGrants(of member: Int64) throws(StoreError) -> [Grant] {
    try grants(of: member).filter { $0.counts(atMilliseconds: nowMilliseconds) }.map(\.grant)
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
  public func offer(
    _ grant: Grant,
    code secret: [UInt8],
    codeExpiresMilliseconds: Int64?,
    name: String? = nil,
    maker: Int64? = nil
  ) throws(StoreError) -> String {
    try write { _ throws(StoreError) in
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
  public func makeMember(
    _ kind: MemberKind,
    secret: [UInt8],
    grant: Grant,
    name: String = "",
    maker: Int64? = nil
  ) throws(StoreError) -> (member: Member, grant: String) {
    try write { _ throws(StoreError) in
      let member = try insertMember(kind, secret, name: name, library: nil)
      let grant = try insert(grant, to: member.id, name: nil, maker: maker)
      return (member, grant)
    }
  }

  /// Takes a grant back for ever, and all that its member has shared if it may share no more.
  ///
  /// - Returns: False when there is no such grant.
  public func revokeGrant(_ uid: String) throws(StoreError) -> Bool {
    memberChanges += 1
    return try write { _ throws(StoreError) in
      let update = try connection.prepare(
        "UPDATE granted SET revoked = 1 WHERE uid = ?1 AND NOT revoked RETURNING member"
      )
      try update.bind(uid, at: 1)
      var found = false
      var makers: [Int64] = []
      try update.rows { row in
        found = true
        if !row.isNull(0) { makers.append(row.int64(0)) }
      }
      while let maker = makers.popLast() {
        memberVersions[maker, default: 0] += 1
        guard try !liveGrants(of: maker).contains(where: { $0.role == .owner }) else { continue }
        let follow = try connection.prepare(
          "UPDATE granted SET revoked = 1 WHERE maker = ?1 AND NOT revoked RETURNING member"
        )
        try follow.bind(maker, at: 1)
        try follow.rows { row in if !row.isNull(0) { makers.append(row.int64(0)) } }
      }
      return found
    }
  }

  /// Ends the grants of a member for a palette, or with nil all of them.
  public func giveBack(_ palette: PaletteID?, by member: Int64) throws(StoreError) {
    for grant in try grants(of: member) where palette == nil || grant.grant.palette == palette {
      _ = try revokeGrant(grant.uid)
    }
  }

  /// How long a session of the page lasts that nobody uses: 30 days.
  public static let pageMilliseconds: Int64 = 30 * 86_400_000

  /// Finds the member whose secret a caller of the API shows.
  public func caller(
    secret: [UInt8]
  ) throws(StoreError) -> Result<(member: Member, grants: [Grant]), AdmissionRefusal> {
    // What machines show is good for syncing alone.
    guard let member = try member(hash: SecretHash(of: secret)), member.kind != .machine,
      member.kind != .public
    else {
      return .failure(.unknown)
    }
    if member.kind == .page, let seen = member.lastSeenMilliseconds,
      nowMilliseconds - seen > Self.pageMilliseconds
    {
      return .failure(.expired)
    }
    let all = try grants(of: member.id)
    let live = all.filter { $0.counts(atMilliseconds: nowMilliseconds) }.map(\.grant)
    if live.isEmpty { return .failure(all.contains(where: \.isRevoked) ? .revoked : .expired) }
    return .success((member, live))
  }

  /// When the first of a member's grants ends; nil when none does.
  public func firstEnd(of member: Int64) throws(StoreError) -> Int64? {
    try grants(of: member).filter { $0.counts(atMilliseconds: nowMilliseconds) }
      .compactMap(\.grant.expiresMilliseconds).min()
  }

  /// Notes that a caller of the API was there; to the minute.
  public func noteSeen(_ member: Member) throws(StoreError) {
    if let seen = member.lastSeenMilliseconds, (0..<60_000).contains(nowMilliseconds - seen) {
      return
    }
    try write { _ throws(StoreError) in
      let update = try connection.prepare("UPDATE member SET seen = ?2 WHERE id = ?1")
      try update.bind(member.id, at: 1)
      try update.bind(nowMilliseconds, at: 2)
      try update.run()
    }
  }

  /// The hash of the secret of a machine, or of a join code, that begins with some bytes.
  public func secretHash(beginning bytes: [UInt8]) throws(StoreError) -> SecretHash? {
    for (table, column) in [("member", "hash"), ("granted", "code")] {
      let select = try connection.prepare(
        "SELECT \(column) FROM \(table) WHERE \(column) >= ?1 ORDER BY \(column) LIMIT 1"
      )
      try select.bind(bytes, at: 1)
      let found = try select.row { $0.bytes(0) }
      if let found, found.starts(with: bytes) { return SecretHash(bytes: found) }
    }
    return nil
  }
}

/// What a library shows that wants to sync.
public struct Introduction: Sendable {
  /// The secret of the member that it is; empty for none.
  public var secret: [UInt8]
  /// The secret of a join code; empty for none.
  public var code: [UInt8]
  /// Its library.
  public var library: RecordID
  /// What it wants to be called.
  public var name: String
  /// Its present node id.
  public var node: NodeID
  /// Other ids that it has had.
  public var otherNodes: [NodeID]

  /// Describes what a library shows.
  public init(
    secret: [UInt8] = [],
    code: [UInt8] = [],
    library: RecordID,
    name: String = "",
    node: NodeID,
    otherNodes: [NodeID] = []
  ) {
    self.secret = secret
    self.code = code
    self.library = library
    self.name = name
    self.node = node
    self.otherNodes = otherNodes
  }
}

/// A library that was let in.
public struct AdmittedMember: Sendable {
  /// The member.
  public let member: Member
  /// What it may do now.
  public let grants: [Grant]
  /// The node ids that are bound to its library.
  public let nodes: Set<NodeID>
  /// Whether the fresh secret is its own from now on.
  public let isFresh: Bool
  /// Whether a join code was redeemed.
  public let hasRedeemed: Bool
}

extension ChangeStore {
  /// Lets a library in by the secret of its member, by a join code, or by both.
  ///
  /// A join code is redeemed by this: it adds to the member whose secret stands beside it, or makes a
  /// new one, whose secret is the fresh one. While the code has not expired the same library may
  /// redeem it again, in case the answer was lost. Who comes back as it was costs no write.
  ///
  /// - Returns: The member, or why it is not let in.
  /// - Throws: `StoreError` when the store failed.
  public func admit(
    _ introduction: Introduction,
    fresh: [UInt8]
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    var member =
      introduction.secret.isEmpty ? nil : try member(hash: SecretHash(of: introduction.secret))
    if member?.kind != .machine { member = nil }
    if let owner = member?.library, owner != introduction.library { return .failure(.used) }
    if member == nil, introduction.code.isEmpty { return .failure(.unknown) }
    if let refusal = try refusal(of: introduction) { return .failure(refusal) }
    var code: StoredGrant?
    if !introduction.code.isEmpty {
      switch try redeemable(introduction) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let grant): code = grant
      }
    }
    if let member, code == nil || code?.member == member.id {
      return try comeBack(member, introduction)
    }
    return try redeem(code, member, introduction, fresh)
  }

  /// Why nobody may come as this node.
  private func refusal(of introduction: Introduction) throws(StoreError) -> AdmissionRefusal? {
    // Who could speak as this library could write in its name.
    if isOwn(introduction.node) { return .nodeTaken }
    return try canBind(introduction.node, to: introduction.library) ? nil : .nodeTaken
  }

  private func redeemable(
    _ introduction: Introduction
  ) throws(StoreError) -> Result<StoredGrant, AdmissionRefusal> {
    let select = try connection.prepare("\(Query.grants) WHERE code = ?1")
    try select.bind(SecretHash(of: introduction.code).bytes, at: 1)
    let found = try select.row { row throws(StoreError) in try StoredGrant(row) }
    guard let grant = found else { return .failure(.unknown) }
    if grant.isRevoked { return .failure(.revoked) }
    if let id = grant.member {
      guard try member(id)?.library == introduction.library else { return .failure(.used) }
    }
    if let end = grant.codeExpiresMilliseconds, end < nowMilliseconds { return .failure(.expired) }
    return grant.grant.isLive(atMilliseconds: nowMilliseconds)
      ? .success(grant) : .failure(.expired)
  }

  /// Lets a member in that shows its secret and redeems nothing.
  private func comeBack(
    _ member: Member,
    _ introduction: Introduction
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    let all = try grants(of: member.id)
    let live = all.filter { $0.counts(atMilliseconds: nowMilliseconds) }.map(\.grant)
    if live.isEmpty { return .failure(all.contains(where: \.isRevoked) ? .revoked : .expired) }
    let bound = try nodes(boundTo: introduction.library)
    let new = try unbound(introduction, bound)
    let isSeen = member.lastSeenMilliseconds.map { (0..<60_000).contains(nowMilliseconds - $0) }
    var member = member
    if isSeen != true || member.node != introduction.node || !new.isEmpty
      || !introduction.name.isEmpty && member.name.isEmpty
    {
      try write { _ throws(StoreError) in
        member = try update(member, introduction)
        try bind(new, to: introduction.library)
      }
    }
    return .success(
      AdmittedMember(
        member: member,
        grants: live,
        nodes: bound.union(new),
        isFresh: false,
        hasRedeemed: false
      )
    )
  }

  private func redeem(
    _ code: StoredGrant?,
    _ known: Member?,
    _ introduction: Introduction,
    _ fresh: [UInt8]
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    guard let code else { return .failure(.unknown) }
    memberChanges += 1
    if let known { memberVersions[known.id, default: 0] += 1 }
    let bound = try nodes(boundTo: introduction.library)
    let new = try unbound(introduction, bound)
    return try write { _ throws(StoreError) in
      var member = known
      var isFresh = false
      if member == nil, let id = code.member {
        // The answer was lost, and with it the secret.
        try replaceSecret(of: id, by: fresh)
        member = try self.member(id)
        isFresh = true
      }
      let present: Member
      if let member {
        present = try update(member, introduction)
      } else {
        let name = code.name ?? introduction.name
        let made = try insertMember(.machine, fresh, name: name, library: introduction.library)
        present = try update(made, introduction)
        isFresh = true
      }
      try give(code, to: present)
      try bind(new, to: introduction.library)
      return .success(
        AdmittedMember(
          member: present,
          grants: try liveGrants(of: present.id),
          nodes: bound.union(new),
          isFresh: isFresh,
          hasRedeemed: true
        )
      )
    }
  }

  /// Redeems a join code for a page: its member is nobody's library.
  ///
  /// - Returns: The member, whose secret is the fresh one; or why there is none.
  /// - Throws: `StoreError` when the store failed.
  public func redeem(
    pageCode code: [UInt8],
    fresh: [UInt8]
  ) throws(StoreError) -> Result<Member, AdmissionRefusal> {
    let nobody = Introduction(code: code, library: RecordID(using: &random), node: NodeID(0))
    let grant: StoredGrant
    switch try redeemable(nobody) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): grant = found
    }
    return try write { _ throws(StoreError) in
      let member = try insertMember(.page, fresh, name: grant.name ?? "page", library: nil)
      try give(grant, to: member)
      return .success(member)
    }
  }

  private func unbound(
    _ introduction: Introduction,
    _ bound: Set<NodeID>
  ) throws(StoreError) -> [NodeID] {
    var new: [NodeID] = []
    for node in introduction.otherNodes + [introduction.node] {
      guard !bound.contains(node), !new.contains(node), !isOwn(node),
        try canBind(node, to: introduction.library)
      else { continue }
      new.append(node)
    }
    return new
  }

  private func update(
    _ member: Member,
    _ introduction: Introduction
  ) throws(StoreError) -> Member {
    var member = member
    member.node = introduction.node
    member.lastSeenMilliseconds = nowMilliseconds
    if member.name.isEmpty { member.name = introduction.name }
    let update = try connection.prepare(
      "UPDATE member SET node = ?2, seen = ?3, name = ?4 WHERE id = ?1"
    )
    try update.bind(member.id, at: 1)
    try update.bind(Int64(bitPattern: introduction.node.rawValue), at: 2)
    try update.bind(nowMilliseconds, at: 3)
    try update.bind(member.name, at: 4)
    try update.run()
    return member
  }

  private func replaceSecret(of member: Int64, by secret: [UInt8]) throws(StoreError) {
    let update = try connection.prepare("UPDATE member SET hash = ?2 WHERE id = ?1")
    try update.bind(member, at: 1)
    try update.bind(SecretHash(of: secret).bytes, at: 2)
    try update.run()
  }

  private func give(_ grant: StoredGrant, to member: Member) throws(StoreError) {
    let update = try connection.prepare("UPDATE granted SET member = ?2 WHERE uid = ?1")
    try update.bind(grant.uid, at: 1)
    try update.bind(member.id, at: 2)
    try update.run()
  }

  private func insertMember(
    _ kind: MemberKind,
    _ secret: [UInt8],
    name: String,
    library: RecordID?
  ) throws(StoreError) -> Member {
    memberChanges += 1
    let insert = try connection.prepare(
      """
      INSERT INTO member(uid, name, kind, hash, library, created, seen)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id
      """
    )
    let uid = makeUID()
    try insert.bind(uid, at: 1)
    try insert.bind(name, at: 2)
    try insert.bind(kind.rawValue, at: 3)
    try insert.bind(SecretHash(of: secret).bytes, at: 4)
    try insert.bind(library?.bytes, at: 5)
    try insert.bind(nowMilliseconds, at: 6)
    try insert.bind(kind == .page ? nowMilliseconds : nil, at: 7)
    guard let id = try insert.row({ $0.int64(0) }) else {
      throw StoreError(code: .failed, message: "the member was not stored")
    }
    return Member(id: id, uid: uid, name: name, kind: kind, library: library)
  }

  private func insert(
    _ grant: Grant,
    to member: Int64?,
    name: String?,
    maker: Int64?,
    code: SecretHash? = nil,
    codeExpires: Int64? = nil
  ) throws(StoreError) -> String {
    memberChanges += 1
    if let member { memberVersions[member, default: 0] += 1 }
    let insert = try connection.prepare(
      """
      INSERT INTO granted(uid, member, maker, name, role, palette, created, expires, code, codeExpires)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """
    )
    let uid = makeUID()
    try insert.bind(uid, at: 1)
    try insert.bind(member, at: 2)
    try insert.bind(maker, at: 3)
    try insert.bind(name, at: 4)
    try insert.bind(grant.role.rawValue, at: 5)
    try insert.bind(grant.palette?.record.bytes, at: 6)
    try insert.bind(nowMilliseconds, at: 7)
    try insert.bind(grant.expiresMilliseconds, at: 8)
    try insert.bind(code?.bytes, at: 9)
    try insert.bind(codeExpires, at: 10)
    try insert.run()
    return uid
  }

  private func makeUID() -> String {
    String(UInt64.random(in: .min ... .max, using: &random).hexDigits.prefix(8))
  }

  private func member(hash: SecretHash) throws(StoreError) -> Member? {
    let select = try box(.member)
    try select.statement.bind(hash.bytes, at: 1)
    return try select.statement.row { row throws(StoreError) in try Member(row) }
  }

  /// The member with a number; nil when there is none, or no more.
  package func member(_ id: Int64) throws(StoreError) -> Member? {
    let select = try connection.prepare("\(Query.members) WHERE id = ?1")
    try select.bind(id, at: 1)
    return try select.row { row throws(StoreError) in try Member(row) }
  }

  private func grants(of member: Int64) throws(StoreError) -> [StoredGrant] {
    var grants: [StoredGrant] = []
    let select = try box(.grantsOfMember)
    try select.statement.bind(member, at: 1)
    try select.statement.rows { row throws(StoreError) in grants.append(try StoredGrant(row)) }
    return grants
  }
}

extension Member {
  init(_ row: borrowing Statement) throws(StoreError) {
    id = row.int64(0)
    uid = row.text(1)
    name = row.text(2)
    // Where damage left another word, nothing is let in by it.
    kind = MemberKind(rawValue: row.text(3)) ?? .script
    library = row.isNull(4) ? nil : try row.recordID(4)
    node = row.isNull(5) ? nil : NodeID(UInt64(bitPattern: row.int64(5)))
    lastSeenMilliseconds = row.isNull(6) ? nil : row.int64(6)
  }

  init(id: Int64, uid: String, name: String, kind: MemberKind, library: RecordID?) {
    self.id = id
    self.uid = uid
    self.name = name
    self.kind = kind
    self.library = library
  }
}

extension StoredGrant {
  init(_ row: borrowing Statement) throws(StoreError) {
    uid = row.text(0)
    member = row.isNull(1) ? nil : row.int64(1)
    name = row.isNull(2) ? nil : row.text(2)
    let role = Role(rawValue: row.text(3))
    grant = Grant(
      role ?? .viewer,
      on: row.isNull(4) ? nil : PaletteID(try row.recordID(4)),
      expiresMilliseconds: row.isNull(6) ? nil : row.int64(6)
    )
    createdMilliseconds = row.int64(5)
    codeExpiresMilliseconds = row.isNull(7) ? nil : row.int64(7)
    // A role that damage left is none.
    isRevoked = row.int64(8) != 0 || role == nil
  }
}
