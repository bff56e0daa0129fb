package import PaletteMerge
package import PaletteModel

/// The kind of a member, which also says where its secret is good.
public enum MemberKind: String, Hashable, Sendable {
  /// Another library; its secret is good for syncing alone.
  case machine
  /// A program that uses the API.
  case script
  /// A session of the web page, which uses the API as well.
  case page
  /// Everybody: what it is granted is published, and it has no secret that anyone knows.
  case `public`
}

/// Someone whom this library lets in.
package struct Member: Hashable, Sendable {
  /// The number of the member, which no other one ever gets.
  package let id: Int64
  /// The name of the member in commands and lists: eight hexadecimal digits.
  package let uid: String
  /// The name that the member wants to have; a claim.
  package internal(set) var name: String
  /// The kind of the member.
  package let kind: MemberKind
  /// The library of a machine.
  package let library: RecordID?
  /// The node that came last.
  package internal(set) var node: NodeID?
  /// The time of its last visit, in milliseconds since 1970; kept to the minute.
  package internal(set) var lastSeenMilliseconds: Int64?
}

/// A right that this library granted, or offers by a join code.
package struct StoredGrant: Hashable, Sendable {
  /// The name of the grant in commands and lists: eight hexadecimal digits.
  package let uid: String
  /// The number of the member; nil while nobody has redeemed the join code.
  package let member: Int64?
  /// The name that the sharer gave; nil for none.
  package let name: String?
  /// The grant that it gives.
  package let grant: Grant
  /// The time of its making, in milliseconds since 1970.
  package let createdMilliseconds: Int64
  /// Until when the join code can be redeemed; nil for ever.
  package let codeExpiresMilliseconds: Int64?
  /// True if it was revoked.
  package let isRevoked: Bool
  /// The author who revoked it; nil where it counts, or where that damaged row tells no one.
  package let revoker: AuthorID?
  /// The number of the owner that made it, with whose right it ends; nil for this library itself.
  package let maker: Int64?

  /// The name that the sharer gave; nil where the member that it lets in is called so.
  package func otherName(than member: Member) -> String? { name == member.name ? nil : name }

  /// Returns whether the grant, or the join code that nobody has redeemed, still counts at a time.
  package func counts(atMilliseconds now: Int64) -> Bool {
    guard !isRevoked, grant.isLive(atMilliseconds: now) else { return false }
    return member != nil || codeExpiresMilliseconds.map { now <= $0 } ?? true
  }
}

/// The reason why a secret gives no right.
package enum LoginRefusal: String, Error, Sendable {
  /// Nobody has this secret.
  case unknown
  /// The right was revoked.
  case revoked
  /// The join code can no longer be redeemed, or the right has ended.
  case expired
  /// Another member has redeemed it, or the secret is another library's.
  case used
  /// The node id belongs to somebody else.
  case nodeTaken = "node-taken"

  /// The reason as a person is to read it.
  package var reason: String {
    switch self {
    case .unknown: "nobody is let in with this secret"
    case .revoked: "the access was taken back"
    case .expired: "the access, or the time to use the join code, has ended"
    case .used: "the join code was used already"
    case .nodeTaken: "the node id belongs to somebody else"
    }
  }
}

extension AuthorID {
  /// The author of what a member does; without a member it is the library itself.
  package init(_ member: Member?) {
    self.init(member?.id ?? 0)
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
    revoker = row.int64(8) > 0 ? AuthorID(row.int64(8) - 1) : nil
    maker = row.isNull(9) ? nil : row.int64(9)
  }
}

/// The credentials of a library that wants to sync.
package struct Login: Sendable {
  /// The secret of the member that it is, or will be when the code is redeemed.
  package var secret: [UInt8]
  /// The secret of a join code; empty for none.
  package var code: [UInt8]
  /// Its library; a claim.
  package var library: RecordID
  /// The name that it wants to have.
  package var name: String
  /// Its present node id.
  package var node: NodeID
  /// Other ids that it has had.
  package var otherNodes: [NodeID]

  /// The length of a machine's secret, which it makes itself.
  package static let secretBytes = LibraryIdentity.secretBytes

  /// The library that it counts as where it has not shown to be the one that it says.
  var ownLibrary: RecordID {
    var hash = BLAKE2b(resultLength: 16, key: SecretHash(of: secret).bytes)
    hash.update(Array("hued library".utf8))
    hash.update(library.bytes)
    let bytes = hash.finalize()
    return RecordID(bytes: bytes) ?? RecordID(high: 0, low: 0)
  }

  /// Describes what a library shows.
  package init(
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
package struct AdmittedMember: Sendable {
  /// The member.
  package let member: Member
  /// Its grants now.
  package let grants: [Grant]
  /// The node ids that are bound to its library.
  package let nodes: Set<NodeID>
  /// True if a join code was redeemed.
  package let hasRedeemed: Bool
}

extension Query {
  /// The columns of `Member`.
  static let members = "SELECT id, uid, name, kind, library, node, seen FROM member"
  /// The columns of `StoredGrant`.
  static let grants = """
    SELECT uid, member, name, role, palette, created, expires, codeExpires, revoked,
      (SELECT maker.member FROM granted AS maker WHERE maker.uid = granted.parent)
    FROM granted
    """
}
