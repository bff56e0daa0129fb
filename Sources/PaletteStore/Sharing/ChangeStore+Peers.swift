import PaletteModel

extension ChangeStore {
  /// The peers that this library joined, in the order of joining.
  public func peers() throws(StoreError) -> [StoredPeer] {
    var peers: [(id: Int64, peer: StoredPeer)] = []
    try box(.peers).statement.rows { row throws(StoreError) in
      let url = row.text(1)
      let addresses = row.text(2).split(separator: "\n").map(String.init)
      var peer = StoredPeer(
        url: url,
        // The url was one of them, should damage leave none.
        addresses: addresses.isEmpty ? [url] : addresses,
        pin: row.bytes(3),
        secret: row.bytes(4),
        code: row.bytes(5),
        grants: [],
        library: row.isNull(6) ? nil : try row.recordID(6),
        name: row.text(7),
        node: row.isNull(8) ? nil : NodeID(UInt64(bitPattern: row.int64(8)))
      )
      peer.refusal = row.isNull(9) ? nil : row.text(9)
      peer.lastAckMilliseconds = row.isNull(10) ? nil : row.int64(10)
      peers.append((row.int64(0), peer))
    }
    for index in peers.indices { peers[index].peer.grants = try peerGrants(peers[index].id) }
    return peers.map(\.peer)
  }

  private func peerGrants(_ peer: Int64) throws(StoreError) -> [Grant] {
    var grants: [Grant] = []
    let select = try connection.prepare(
      "SELECT role, palette, expires FROM peerGrant WHERE peer = ?1 ORDER BY rowid"
    )
    try select.bind(peer, at: 1)
    try select.rows { row throws(StoreError) in
      // A role that damage left is none.
      guard let role = Role(rawValue: row.text(0)) else { return }
      let palette = row.isNull(1) ? nil : PaletteID(try row.recordID(1))
      let end = row.isNull(2) ? nil : row.int64(2)
      grants.append(Grant(role, on: palette, expiresMilliseconds: end))
    }
    return grants
  }

  /// Adds a peer, or replaces the one with the same url.
  public func save(_ peer: StoredPeer) throws(StoreError) {
    // Who comes back is mostly what it was, and need not wait for the disk to hear so.
    guard try !peers().contains(peer) else { return }
    try write { _ throws(StoreError) in
      let insert = try connection.prepare(
        """
        INSERT INTO peer(url, addresses, pin, secret, code, library, name, node, refusal, acked)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT(url) DO UPDATE SET addresses = excluded.addresses, pin = excluded.pin,
        secret = excluded.secret, code = excluded.code, library = excluded.library,
        name = excluded.name, node = excluded.node, refusal = excluded.refusal,
        acked = excluded.acked RETURNING id
        """
      )
      try insert.bind(peer.url, at: 1)
      try insert.bind(peer.addresses.joined(separator: "\n"), at: 2)
      try insert.bind(peer.pin, at: 3)
      try insert.bind(peer.secret, at: 4)
      try insert.bind(peer.code, at: 5)
      try insert.bind(peer.library?.bytes, at: 6)
      try insert.bind(peer.name, at: 7)
      try insert.bind(peer.node.map { Int64(bitPattern: $0.rawValue) }, at: 8)
      try insert.bind(peer.refusal, at: 9)
      try insert.bind(peer.lastAckMilliseconds, at: 10)
      guard let id = try insert.row({ $0.int64(0) }) else {
        throw StoreError(code: .failed, message: "the peer was not stored")
      }
      try replaceGrants(of: id, by: peer.grants)
    }
  }

  private func replaceGrants(of peer: Int64, by grants: [Grant]) throws(StoreError) {
    guard try peerGrants(peer) != grants else { return }
    let delete = try connection.prepare("DELETE FROM peerGrant WHERE peer = ?1")
    try delete.bind(peer, at: 1)
    try delete.run()
    let insert = try connection.prepare(
      "INSERT INTO peerGrant(peer, role, palette, expires) VALUES(?1, ?2, ?3, ?4)"
    )
    for grant in grants {
      try insert.bind(peer, at: 1)
      try insert.bind(grant.role.rawValue, at: 2)
      try insert.bind(grant.palette?.record.bytes, at: 3)
      try insert.bind(grant.expiresMilliseconds, at: 4)
      try insert.run()
    }
  }

  /// Forgets a peer; false when there is none with this url.
  public func removePeer(_ url: String) throws(StoreError) -> Bool {
    try write { _ throws(StoreError) in
      let forget = try connection.prepare(
        "DELETE FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1)"
      )
      try forget.bind(url, at: 1)
      try forget.run()
      let grants = try connection.prepare(
        "DELETE FROM peerGrant WHERE peer = (SELECT id FROM peer WHERE url = ?1)"
      )
      try grants.bind(url, at: 1)
      try grants.run()
      let delete = try connection.prepare("DELETE FROM peer WHERE url = ?1")
      try delete.bind(url, at: 1)
      try delete.run()
      return connection.changes > 0
    }
  }

  /// Keeps how much of palettes peers durably hold of this library's own changes.
  ///
  /// The newest statement counts, never the highest: a restored peer holds less than before.
  public func note(_ statements: [PeerStatement]) throws(StoreError) {
    try write { _ throws(StoreError) in
      for statement in statements { try keep(statement) }
      let seen = try connection.prepare("UPDATE peer SET acked = ?2 WHERE url = ?1")
      for url in Set(statements.map(\.url)) {
        try seen.bind(url, at: 1)
        try seen.bind(nowMilliseconds, at: 2)
        try seen.run()
      }
    }
  }

  /// Whether what a peer said that it holds of a palette, and nothing else, is written already.
  public func isNoted(_ statement: PeerStatement) throws(StoreError) -> Bool {
    try stated(by: statement.url, of: statement.palette) == statement.held.mapValues(\.sequence)
  }

  private func keep(_ statement: PeerStatement) throws(StoreError) {
    if statement.isWhole {
      // Whoever comes back says the same of every palette in which nothing has happened.
      guard try !isNoted(statement) else { return }
      let forget = try box(.forgetStated)
      try forget.statement.bind(statement.url, at: 1)
      try forget.statement.bind(statement.palette.record, at: 2)
      try forget.statement.run()
    }
    let insert = try box(.insertStated)
    for (node, head) in statement.held {
      try insert.statement.bind(statement.url, at: 1)
      try insert.statement.bind(statement.palette.record, at: 2)
      try insert.statement.bind(Int64(bitPattern: node.rawValue), at: 3)
      try insert.statement.bind(Int64(head.sequence), at: 4)
      try insert.statement.run()
    }
  }

  /// How much of a palette a peer is known to hold of this library's own changes.
  func stated(
    by url: String,
    of palette: PaletteID
  ) throws(StoreError) -> [NodeID: UInt32] {
    var held: [NodeID: UInt32] = [:]
    let select = try box(.stated)
    try select.statement.bind(url, at: 1)
    try select.statement.bind(palette.record, at: 2)
    try select.statement.rows { row in
      let node = NodeID(UInt64(bitPattern: row.int64(0)))
      held[node] = UInt32(truncatingIfNeeded: row.int64(1))
    }
    return held
  }
}
