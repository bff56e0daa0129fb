public import PaletteModel

extension ChangeStore {
  /// The peers that this library joined, in the order of joining.
  public func peers() throws(StoreError) -> [StoredPeer] {
    var peers: [StoredPeer] = []
    try box(.peers).statement.rows { row throws(StoreError) in
      var peer = StoredPeer(
        url: row.text(0),
        addresses: row.text(1).split(separator: "\n").map(String.init),
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
    let select = try connection.prepare(
      """
      SELECT node, sequence FROM stated JOIN peer ON peer.id = peer WHERE url = ?1
      AND stated.palette = ?2
      """
    )
    try select.bind(statement.url, at: 1)
    try select.bind(statement.palette.record, at: 2)
    var noted: [NodeID: UInt32] = [:]
    try select.rows { row in
      noted[NodeID(UInt64(bitPattern: row.int64(0)))] = UInt32(truncatingIfNeeded: row.int64(1))
    }
    return noted == statement.held.mapValues(\.sequence)
  }

  private func keep(_ statement: PeerStatement) throws(StoreError) {
    if statement.isWhole {
      let forget = try connection.prepare(
        """
        DELETE FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1) AND palette = ?2
        """
      )
      try forget.bind(statement.url, at: 1)
      try forget.bind(statement.palette.record, at: 2)
      try forget.run()
    }
    let insert = try connection.prepare(
      """
      INSERT OR REPLACE INTO stated(peer, palette, node, sequence)
      SELECT id, ?2, ?3, ?4 FROM peer WHERE url = ?1
      """
    )
    for (node, tip) in statement.held {
      try insert.bind(statement.url, at: 1)
      try insert.bind(statement.palette.record, at: 2)
      try insert.bind(Int64(bitPattern: node.rawValue), at: 3)
      try insert.bind(Int64(tip.sequence), at: 4)
      try insert.run()
    }
  }

  /// How many of this library's own changes of a palette no peer that takes them has stated to hold.
  ///
  /// What a peer refused for good is not pending there.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - urls: The peers that count.
  /// - Returns: The number; 0 when no peer counts.
  /// - Throws: `StoreError` when the store failed.
  public func pending(of id: PaletteID, at urls: [String]) throws(StoreError) -> Int {
    guard !urls.isEmpty, let palette = try paletteRow(id) else { return 0 }
    var pending = 0
    let refusals = try self.refusals()
    let select = try connection.prepare(
      """
      SELECT max(sequence) FROM stated JOIN peer ON peer.id = peer
      WHERE url = ?1 AND stated.palette = ?2 AND stated.node = ?3
      """
    )
    for stream in try StreamTable(of: palette, in: self).all where isOwn(stream.node) {
      var stated: Int64 = 0
      var wanted: Int64 = 0
      for url in urls {
        let refused = refusals[url]?[stream.number].map { Int64($0) - 1 }
        wanted = max(wanted, refused ?? Int64(stream.held))
        try select.bind(url, at: 1)
        try select.bind(id.record, at: 2)
        try select.bind(Int64(bitPattern: stream.node.rawValue), at: 3)
        stated = max(stated, try select.row { $0.int64(0) } ?? 0)
      }
      pending += max(0, Int(wanted) - Int(stated))
    }
    return pending
  }
}
