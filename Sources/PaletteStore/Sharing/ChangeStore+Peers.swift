import PaletteModel

extension ChangeStore {
  /// The peers that this library joined, in the order of joining.
  public func peers() throws(StoreError) -> [StoredPeer] {
    var peers: [StoredPeer] = []
    try box(.peers).statement.rows { row throws(StoreError) in
      let url = row.text(0)
      let addresses = row.text(1).split(separator: "\n").map(String.init)
      var peer = StoredPeer(
        url: url,
        // The url was one of them, should damage leave none.
        addresses: addresses.isEmpty ? [url] : addresses,
        pin: row.bytes(2),
        secret: row.bytes(3),
        role: row.text(4),
        palette: row.isNull(5) ? nil : PaletteID(try row.recordID(5)),
        node: row.isNull(6) ? nil : NodeID(UInt64(bitPattern: row.int64(6)))
      )
      peer.refusal = row.isNull(7) ? nil : row.text(7)
      peer.lastAckMilliseconds = row.isNull(8) ? nil : row.int64(8)
      peers.append(peer)
    }
    return peers
  }

  /// Adds a peer, or replaces the one with the same url.
  public func save(_ peer: StoredPeer) throws(StoreError) {
    // Who comes back is mostly what it was, and need not wait for the disk to hear so.
    guard try !peers().contains(peer) else { return }
    try write { _ throws(StoreError) in
      let insert = try connection.prepare(
        """
        INSERT INTO peer(url, addresses, pin, secret, role, palette, node, refusal, acked)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT(url) DO UPDATE SET addresses = excluded.addresses, pin = excluded.pin,
        secret = excluded.secret, role = excluded.role, palette = excluded.palette,
        node = excluded.node, refusal = excluded.refusal, acked = excluded.acked
        """
      )
      try insert.bind(peer.url, at: 1)
      try insert.bind(peer.addresses.joined(separator: "\n"), at: 2)
      try insert.bind(peer.pin, at: 3)
      try insert.bind(peer.secret, at: 4)
      try insert.bind(peer.role, at: 5)
      try insert.bind(peer.palette?.record.bytes, at: 6)
      try insert.bind(peer.node.map { Int64(bitPattern: $0.rawValue) }, at: 7)
      try insert.bind(peer.refusal, at: 8)
      try insert.bind(peer.lastAckMilliseconds, at: 9)
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
    for (node, tip) in statement.held {
      try insert.statement.bind(statement.url, at: 1)
      try insert.statement.bind(statement.palette.record, at: 2)
      try insert.statement.bind(Int64(bitPattern: node.rawValue), at: 3)
      try insert.statement.bind(Int64(tip.sequence), at: 4)
      try insert.statement.run()
    }
  }

  /// How much of a palette a peer is known to hold of this library's own changes.
  private func stated(
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
