package import PaletteModel

/// Why a secret gives no right.
public enum TokenRefusal: String, Error, Sendable {
  /// No token has this secret.
  case unknown
  /// The token was revoked.
  case revoked
  /// The token can no longer be redeemed or used.
  case expired
  /// Another library has redeemed it.
  case used
  /// The node id belongs to another token.
  case nodeTaken = "node-taken"
}

extension ChangeStore {
  /// All tokens, the newest first.
  public func tokens() throws(StoreError) -> [StoredToken] {
    var tokens: [StoredToken] = []
    try connection.prepare("\(StoredToken.select) ORDER BY token.id DESC").rows {
      row throws(StoreError) in tokens.append(try StoredToken(row))
    }
    return tokens
  }

  /// Stores a token by the hash of its secret.
  ///
  /// - Parameters:
  ///   - secret: The secret; only its hash is kept.
  ///   - role: The word of the role.
  ///   - palette: The one palette that it covers; nil for the whole library.
  ///   - expiresMilliseconds: Until when it can be redeemed or used.
  ///   - isJoinCode: Whether a library must redeem it first.
  /// - Returns: The token.
  /// - Throws: `StoreError` when the store failed.
  package func makeToken(
    secret: [UInt8],
    role: String,
    palette: PaletteID?,
    expiresMilliseconds: Int64?,
    isJoinCode: Bool
  ) throws(StoreError) -> StoredToken {
    let name = UInt64.random(in: .min ... .max, using: &random).hexDigits.prefix(8)
    tokenChanges += 1
    try write { _ throws(StoreError) in
      let insert = try connection.prepare(
        """
        INSERT INTO token(name, hash, role, palette, created, expires, isCode)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """
      )
      try insert.bind(String(name), at: 1)
      try insert.bind(SecretHash(of: secret).bytes, at: 2)
      try insert.bind(role, at: 3)
      try insert.bind(palette?.record.bytes, at: 4)
      try insert.bind(nowMilliseconds, at: 5)
      try insert.bind(expiresMilliseconds, at: 6)
      try insert.bind(isJoinCode ? 1 : Int64(0), at: 7)
      try insert.run()
    }
    guard let token = try token(String(name)) else {
      throw StoreError(code: .failed, message: "the token was not stored")
    }
    return token
  }

  /// Revokes a token for ever; false when there is none with this id.
  public func revokeToken(_ id: String) throws(StoreError) -> Bool {
    tokenChanges += 1
    return try write { _ throws(StoreError) in
      let update = try connection.prepare("UPDATE token SET revoked = 1 WHERE name = ?1")
      try update.bind(id, at: 1)
      try update.run()
      return connection.changes > 0
    }
  }

  /// Finds the token of a secret that a script shows, which is nobody's node.
  package func token(secret: [UInt8]) throws(StoreError) -> Result<StoredToken, TokenRefusal> {
    guard let token = try token(hash: SecretHash(of: secret)) else { return .failure(.unknown) }
    if token.isRevoked { return .failure(.revoked) }
    if token.isJoinCode && token.library == nil { return .failure(.unknown) }
    return token.endMilliseconds >= nowMilliseconds ? .success(token) : .failure(.expired)
  }

  /// Lets a node in by a secret, and remembers it as one of the token's nodes.
  ///
  /// A join code is redeemed by this: it belongs to the library from then on, and gets the fresh
  /// secret that the library shall come back with. While the code has not expired, the same library
  /// may redeem it again, in case the answer was lost. When a token was seen is kept to the minute:
  /// a node that comes back within it costs no write.
  ///
  /// - Parameters:
  ///   - secret: The secret of the hello.
  ///   - fresh: The secret to come back with, if this is a join code.
  ///   - library: The library of the hello.
  ///   - node: The node of the hello.
  /// - Returns: The token, and whether `fresh` is its secret now; or why it gives no right.
  /// - Throws: `StoreError` when the store failed.
  package func admit(
    secret: [UInt8],
    fresh: [UInt8],
    library: RecordID,
    node: NodeID
  ) throws(StoreError) -> Result<
    (token: StoredToken, nodes: Set<NodeID>, isFresh: Bool), TokenRefusal
  > {
    let hash = SecretHash(of: secret)
    let found = try token(hash: hash)
    let code = found == nil ? try token(codeHash: hash) : nil
    guard let token = found ?? code else { return .failure(.unknown) }
    if token.isRevoked { return .failure(.revoked) }
    if let owner = token.library, owner != library { return .failure(.used) }
    // Once redeemed, only the code itself expires, not the right.
    let isRedeeming = token.isJoinCode && (token.library == nil || code != nil)
    if isRedeeming || !token.isJoinCode, let expires = token.expiresMilliseconds,
      expires < nowMilliseconds
    {
      return .failure(.expired)
    }
    // Who could speak as this library could write in its name.
    if isOwn(node) { return .failure(.nodeTaken) }
    if let taken = try tokenName(boundTo: node), taken != token.id { return .failure(.nodeTaken) }
    let bound = try nodes(boundTo: token.id)
    let isKnown = token.library == library && token.node == node && bound.contains(node)
    if !isRedeeming, isKnown, let seen = token.lastSeenMilliseconds,
      (0..<60_000).contains(nowMilliseconds - seen)
    {
      return .success((token, bound, false))
    }
    try remember(token, library, node, fresh: isRedeeming ? fresh : nil, code: hash)
    guard let now = try self.token(token.id) else { return .failure(.unknown) }
    return .success((now, bound.union([node]), isRedeeming))
  }

  private func remember(
    _ token: StoredToken,
    _ library: RecordID,
    _ node: NodeID,
    fresh: [UInt8]?,
    code: SecretHash
  ) throws(StoreError) {
    tokenChanges += 1
    try write { _ throws(StoreError) in
      if let fresh {
        let redeem = try connection.prepare(
          "UPDATE token SET hash = ?2, codeHash = ?3 WHERE name = ?1"
        )
        try redeem.bind(token.id, at: 1)
        try redeem.bind(SecretHash(of: fresh).bytes, at: 2)
        try redeem.bind(code.bytes, at: 3)
        try redeem.run()
      }
      let update = try connection.prepare(
        "UPDATE token SET library = ?2, node = ?3, seen = ?4 WHERE name = ?1"
      )
      try update.bind(token.id, at: 1)
      try update.bind(library, at: 2)
      try update.bind(Int64(bitPattern: node.rawValue), at: 3)
      try update.bind(nowMilliseconds, at: 4)
      try update.run()
      let bind = try connection.prepare(
        "INSERT OR IGNORE INTO tokenNode(node, token) SELECT ?1, id FROM token WHERE name = ?2"
      )
      try bind.bind(Int64(bitPattern: node.rawValue), at: 1)
      try bind.bind(token.id, at: 2)
      try bind.run()
    }
  }

  private func token(_ name: String) throws(StoreError) -> StoredToken? {
    let select = try connection.prepare("\(StoredToken.select) WHERE name = ?1")
    try select.bind(name, at: 1)
    return try select.row { row throws(StoreError) in try StoredToken(row) }
  }

  private func token(hash: SecretHash) throws(StoreError) -> StoredToken? {
    let select = try box(.token)
    try select.statement.bind(hash.bytes, at: 1)
    return try select.statement.row { row throws(StoreError) in try StoredToken(row) }
  }

  private func token(codeHash: SecretHash) throws(StoreError) -> StoredToken? {
    let select = try connection.prepare("\(StoredToken.select) WHERE codeHash = ?1")
    try select.bind(codeHash.bytes, at: 1)
    return try select.row { row throws(StoreError) in try StoredToken(row) }
  }

  private func tokenName(boundTo node: NodeID) throws(StoreError) -> String? {
    let select = try connection.prepare(
      "SELECT name FROM tokenNode JOIN token ON token.id = token WHERE tokenNode.node = ?1"
    )
    try select.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.row { $0.text(0) }
  }

  private func nodes(boundTo name: String) throws(StoreError) -> Set<NodeID> {
    var nodes: Set<NodeID> = []
    let select = try connection.prepare(
      "SELECT tokenNode.node FROM tokenNode JOIN token ON token.id = token WHERE name = ?1"
    )
    try select.bind(name, at: 1)
    try select.rows { nodes.insert(NodeID(UInt64(bitPattern: $0.int64(0)))) }
    return nodes
  }
}

extension StoredToken {
  static let select = """
    SELECT name, role, palette, created, expires, library, node, seen, revoked, isCode FROM token
    """

  init(_ row: borrowing Statement) throws(StoreError) {
    id = row.text(0)
    role = row.text(1)
    palette = row.isNull(2) ? nil : PaletteID(try row.recordID(2))
    createdMilliseconds = row.int64(3)
    expiresMilliseconds = row.isNull(4) ? nil : row.int64(4)
    library = row.isNull(5) ? nil : try row.recordID(5)
    node = row.isNull(6) ? nil : NodeID(UInt64(bitPattern: row.int64(6)))
    lastSeenMilliseconds = row.isNull(7) ? nil : row.int64(7)
    isRevoked = row.int64(8) != 0
    isJoinCode = row.int64(9) != 0
  }
}
