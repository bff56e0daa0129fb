/// The amounts that members have written, of which each has a share.
package struct WrittenBytes {
  let database: StoreDatabase
  let transactions: Transactions

  /// The bytes of a member's changes, as they were counted.
  package func count(of member: Int64) throws(StoreError) -> Int {
    let select = try database.prepare("SELECT written FROM member WHERE id = ?1")
    try select.bind(member, at: 1)
    return try select.row { Int($0.int64(0)) } ?? 0
  }

  /// Adds to what members have written.
  package func add(_ bytes: [Int64: Int]) throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      let update = try database.prepare(
        "UPDATE member SET written = max(0, written + ?2) WHERE id = ?1"
      )
      for (member, bytes) in bytes {
        try update.bind(member, at: 1)
        try update.bind(Int64(bytes), at: 2)
        try update.run()
      }
    }
  }

  /// Counts again what members have written, of what is still in the log.
  package func recount() throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      try database.execute("UPDATE member SET written = \(Self.inLog)")
    }
  }

  /// The amounts to `add` for what is still in the log, in the state that is read.
  package func corrections() throws(StoreError) -> [Int64: Int] {
    var bytes: [Int64: Int] = [:]
    let select = try database.prepare("SELECT id, \(Self.inLog) - written FROM member")
    try select.rows { row in
      let more = row.int64(1)
      if more != 0 { bytes[row.int64(0)] = Int(more) }
    }
    return bytes
  }

  /// The bytes of a member that are in the log: each member's own changes are read, and not all changes for
  /// each of them.
  private static let inLog = """
    (coalesce((
      SELECT sum(length(bytes)) FROM
        (SELECT node FROM binding WHERE binding.library = member.library
          UNION SELECT node FROM identity WHERE author = member.id) AS own
        CROSS JOIN stream ON stream.node = own.node
        CROSS JOIN change
          ON change.id BETWEEN stream.id << 32 AND (stream.id << 32) + 4294967295), 0)
      + coalesce((SELECT sum(length(answer) + \(EditLog.rowBytes)) FROM edit WHERE author = member.id), 0))
    """
}
