internal import PaletteMerge
package import PaletteModel

/// The peers that this library joined, what each has stated to hold, and what each refused.
package final class PeerTable {
  private let database: StoreDatabase
  private let transactions: Transactions
  private let clock: StoreClock
  private let identity: LibraryIdentity
  private let uncounted: UncountedPalettes

  /// Peers of whom it is known that nothing is written.
  private var silent: Set<String> = []

  private static let refusedKey = "refused"
  private static let givenBackKey = "given-back"

  init(
    _ database: StoreDatabase,
    _ transactions: Transactions,
    _ clock: StoreClock,
    _ identity: LibraryIdentity,
    _ uncounted: UncountedPalettes
  ) {
    self.database = database
    self.transactions = transactions
    self.clock = clock
    self.identity = identity
    self.uncounted = uncounted
  }

  /// The peers that this library joined, in the order of joining.
  package func all() throws(StoreError) -> [StoredPeer] {
    var peers: [(id: Int64, peer: StoredPeer)] = []
    try database.box(.peers).statement.rows { row throws(StoreError) in
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
      peer.changesToCome = row.isNull(11) ? nil : Int(row.int64(11))
      peers.append((row.int64(0), peer))
    }
    for index in peers.indices {
      peers[index].peer.grants = try peerGrants(peers[index].id)
      peers[index].peer.givenBack = try givenBack(to: peers[index].peer.url)
    }
    return peers.map(\.peer)
  }

  private func peerGrants(_ peer: Int64) throws(StoreError) -> [Grant] {
    var grants: [Grant] = []
    let select = try database.box(.grantsOfPeer)
    try select.statement.bind(peer, at: 1)
    try select.statement.rows { row throws(StoreError) in
      // A role that damage left is none.
      guard let role = Role(rawValue: row.text(0)) else { return }
      let palette = row.isNull(1) ? nil : PaletteID(try row.recordID(1))
      let end = row.isNull(2) ? nil : row.int64(2)
      grants.append(Grant(role, on: palette, expiresMilliseconds: end))
    }
    return grants
  }

  /// Adds a peer, or replaces the one with the same url.
  package func save(_ peer: StoredPeer) throws(StoreError) {
    // Who comes back is mostly what it was, and need not wait for the disk to hear so.
    guard try !all().contains(peer) else { return }
    try transactions.write { () throws(StoreError) in
      let insert = try database.prepare(
        """
        INSERT INTO peer(url, addresses, pin, secret, code, library, name, node, refusal, acked,
        behind) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT(url) DO UPDATE SET addresses = excluded.addresses, pin = excluded.pin,
        secret = excluded.secret, code = excluded.code, library = excluded.library,
        name = excluded.name, node = excluded.node, refusal = excluded.refusal,
        acked = excluded.acked, behind = excluded.behind RETURNING id
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
      try insert.bind(peer.changesToCome.map(Int64.init), at: 11)
      guard let id = try insert.row({ $0.int64(0) }) else {
        throw StoreError(code: .failed, message: "the peer was not stored")
      }
      try replaceGrants(of: id, by: peer.grants)
      try replaceGivenBack(to: peer.url, by: peer.givenBack)
    }
  }

  private func givenBack(to url: String) throws(StoreError) -> Set<PaletteID> {
    let bytes = try database.meta(MetaKey("\(Self.givenBackKey).\(url)")) ?? []
    var palettes: Set<PaletteID> = []
    for start in stride(from: 0, to: bytes.count, by: 16) {
      guard let record = RecordID(bytes: Array(bytes[start..<min(start + 16, bytes.count)])) else {
        continue
      }
      palettes.insert(PaletteID(record))
    }
    return palettes
  }

  private func replaceGivenBack(
    to url: String,
    by palettes: Set<PaletteID>
  ) throws(StoreError) {
    guard try givenBack(to: url) != palettes else { return }
    let key = MetaKey("\(Self.givenBackKey).\(url)")
    if palettes.isEmpty {
      try database.removeMeta(key)
    } else {
      try database.setMeta(key, palettes.sorted().flatMap(\.record.bytes))
    }
  }

  private func replaceGrants(of peer: Int64, by grants: [Grant]) throws(StoreError) {
    guard try peerGrants(peer) != grants else { return }
    let delete = try database.prepare("DELETE FROM peerGrant WHERE peer = ?1")
    try delete.bind(peer, at: 1)
    try delete.run()
    let insert = try database.prepare(
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
  package func remove(_ url: String) throws(StoreError) -> Bool {
    uncounted.insertAll()
    return try transactions.write { () throws(StoreError) in
      let forget = try database.prepare(
        "DELETE FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1)"
      )
      try forget.bind(url, at: 1)
      try forget.run()
      let grants = try database.prepare(
        "DELETE FROM peerGrant WHERE peer = (SELECT id FROM peer WHERE url = ?1)"
      )
      try grants.bind(url, at: 1)
      try grants.run()
      try replaceGivenBack(to: url, by: [])
      let delete = try database.prepare("DELETE FROM peer WHERE url = ?1")
      try delete.bind(url, at: 1)
      try delete.run()
      return database.connection.changes > 0
    }
  }

  /// Keeps how much of palettes peers durably hold of this library's own changes.
  ///
  /// The newest statement counts, never the highest: a restored peer holds less than before.
  package func record(_ statements: [HeldReport]) throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      for statement in statements { try keep(statement) }
      let seen = try database.prepare("UPDATE peer SET acked = ?2 WHERE url = ?1")
      for url in Set(statements.map(\.url)) {
        try seen.bind(url, at: 1)
        try seen.bind(clock.nowMilliseconds, at: 2)
        try seen.run()
      }
    }
  }

  /// Returns whether what a peer said that it holds of a palette, and nothing else, is written
  /// already.
  package func isRecorded(_ statement: HeldReport) throws(StoreError) -> Bool {
    // Of a first catch-up each palette is stated, and in none of them anything of ours.
    if statement.held.isEmpty, try isSilent(statement.url) { return true }
    return try isWritten(statement)
  }

  private func isWritten(_ statement: HeldReport) throws(StoreError) -> Bool {
    try stated(by: statement.url, of: statement.palette) == statement.held.mapValues(\.sequence)
  }

  /// Returns whether nothing is written of what a peer holds.
  private func isSilent(_ url: String) throws(StoreError) -> Bool {
    if silent.contains(url) { return true }
    let select = try database.prepare(
      "SELECT 1 FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1) LIMIT 1"
    )
    try select.bind(url, at: 1)
    guard try select.row({ $0.int64(0) }) == nil else { return false }
    silent.insert(url)
    return true
  }

  private func keep(_ statement: HeldReport) throws(StoreError) {
    uncounted.insert(statement.palette)
    if statement.isWhole {
      // Whoever comes back says the same of every palette in which nothing has happened. What this
      // transaction has taken away may come back, so nothing is learned from it.
      guard try !isWritten(statement) else { return }
      let forget = try database.box(.forgetStated)
      try forget.statement.bind(statement.url, at: 1)
      try forget.statement.bind(statement.palette.record, at: 2)
      try forget.statement.run()
    }
    guard !statement.held.isEmpty else { return }
    silent.remove(statement.url)
    let insert = try database.box(.insertStated)
    for (node, head) in statement.held {
      try insert.statement.bind(statement.url, at: 1)
      try insert.statement.bind(statement.palette.record, at: 2)
      try insert.statement.bind(Int64(bitPattern: node.rawValue), at: 3)
      try insert.statement.bind(Int64(head.sequence), at: 4)
      try insert.statement.run()
    }
  }

  /// The part of a palette's own changes that a peer is known to hold.
  func stated(
    by url: String,
    of palette: PaletteID
  ) throws(StoreError) -> [NodeID: UInt32] {
    var held: [NodeID: UInt32] = [:]
    let select = try database.box(.stated)
    try select.statement.bind(url, at: 1)
    try select.statement.bind(palette.record, at: 2)
    try select.statement.rows { row in
      let node = NodeID(UInt64(bitPattern: row.int64(0)))
      held[node] = UInt32(truncatingIfNeeded: row.int64(1))
    }
    return held
  }

  /// The palettes of which a peer is written to hold another part of this library's own changes than
  /// is held here.
  ///
  /// Where it turns out that a peer holds all that is here, these are what has to be written.
  package func palettesStatedOtherwise(by url: String) throws(StoreError) -> [PaletteID] {
    let select = try database.prepare(
      """
      SELECT palette.uuid FROM stream JOIN palette ON palette.id = stream.palette
      LEFT JOIN stated ON stated.peer = (SELECT id FROM peer WHERE url = ?1)
      AND stated.palette = palette.uuid AND stated.node = stream.node
      WHERE stream.node = ?2 AND stream.held > 0 AND stated.sequence IS NOT stream.held
      """
    )
    var found: Set<PaletteID> = []
    for node in identity.ids.all {
      try select.bind(url, at: 1)
      try select.bind(Int64(bitPattern: node.rawValue), at: 2)
      try select.rows { row throws(StoreError) in found.insert(PaletteID(try row.recordID(0))) }
    }
    return found.sorted()
  }

  // MARK: Own changes that a peer refused for good
  //
  // They are no longer pending there, and neither is what follows them under the same node id.

  /// Keeps that a peer refused an own change.
  package func record(
    refusalOf dot: Dot,
    in id: PaletteID,
    by url: String
  ) throws(StoreError) {
    guard let stream = try streamNumber(of: dot.node, in: id) else { return }
    let known = try refusals()[url]?[stream]
    guard known.map({ dot.sequence < $0 }) ?? true else { return }
    uncounted.insert(id)
    try transactions.write { () throws(StoreError) in
      let bytes = withUnsafeBytes(of: dot.sequence.bigEndian) { [UInt8]($0) }
      try database.setMeta(MetaKey("\(Self.refusedKey).\(stream).\(url)"), bytes)
    }
  }

  private func streamNumber(
    of node: NodeID,
    in palette: PaletteID
  ) throws(StoreError) -> Int64? {
    let select = try database.prepare(
      """
      SELECT stream.id FROM stream JOIN palette ON palette.id = stream.palette
      WHERE palette.uuid = ?1 AND stream.node = ?2
      """
    )
    try select.bind(palette.record, at: 1)
    try select.bind(Int64(bitPattern: node.rawValue), at: 2)
    return try select.row { $0.int64(0) }
  }

  /// Forgets what a peer refused: it is asked again.
  package func forgetRefusals(by url: String) throws(StoreError) {
    guard let refused = try refusals()[url] else { return }
    uncounted.insertAll()
    try transactions.write { () throws(StoreError) in
      for number in refused.keys {
        try database.removeMeta(MetaKey("\(Self.refusedKey).\(number).\(url)"))
      }
    }
  }

  /// The number of own changes a peer refused, with those that follow them.
  package func refusedCount(by url: String) throws(StoreError) -> Int {
    guard let refused = try refusals()[url] else { return 0 }
    var count = 0
    let select = try database.prepare("SELECT held FROM stream WHERE id = ?1")
    for (number, sequence) in refused {
      try select.bind(number, at: 1)
      let held = try select.row { $0.int64(0) } ?? 0
      count += max(0, Int(held) - Int(sequence) + 1)
    }
    return count
  }

  /// For each peer and stream, the first change that was refused.
  func refusals() throws(StoreError) -> [String: [Int64: UInt32]] {
    var refusals: [String: [Int64: UInt32]] = [:]
    // The character after the dot bounds the range.
    let select = try database.box(.metaBetween)
    try select.statement.bind("\(Self.refusedKey).", at: 1)
    try select.statement.bind("\(Self.refusedKey)/", at: 2)
    try select.statement.rows { row in
      let parts = row.text(0).split(separator: ".", maxSplits: 2)
      guard parts.count == 3, let number = Int64(parts[1]) else { return }
      let sequence = row.bytes(1).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      refusals[String(parts[2]), default: [:]][number] = sequence
    }
    return refusals
  }
}

extension Query {
  fileprivate static let peers = Query(
    """
    SELECT id, url, addresses, pin, secret, code, library, name, node, refusal, acked, behind
    FROM peer
    ORDER BY id
    """
  )
  fileprivate static let grantsOfPeer = Query(
    "SELECT role, palette, expires FROM peerGrant WHERE peer = ?1 ORDER BY rowid"
  )
  fileprivate static let metaBetween = Query(
    "SELECT key, value FROM meta WHERE key > ?1 AND key < ?2"
  )
  fileprivate static let stated = Query(
    """
    SELECT stated.node, sequence FROM stated JOIN peer ON peer.id = peer
    WHERE url = ?1 AND stated.palette = ?2
    """
  )
  fileprivate static let forgetStated = Query(
    "DELETE FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1) AND palette = ?2"
  )
  fileprivate static let insertStated = Query(
    """
    INSERT OR REPLACE INTO stated(peer, palette, node, sequence)
    SELECT id, ?2, ?3, ?4 FROM peer WHERE url = ?1
    """
  )
}
