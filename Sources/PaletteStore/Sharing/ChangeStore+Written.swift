/// How much members have written, of which each has a share.
extension ChangeStore {
  /// The bytes of a member's changes, as they were counted.
  public func writtenBytes(by member: Int64) throws(StoreError) -> Int {
    let select = try connection.prepare("SELECT written FROM member WHERE id = ?1")
    try select.bind(member, at: 1)
    return try select.row { Int($0.int64(0)) } ?? 0
  }

  /// Adds to what members have written.
  public func addWritten(_ bytes: [Int64: Int]) throws(StoreError) {
    try write { _ throws(StoreError) in
      let update = try connection.prepare("UPDATE member SET written = written + ?2 WHERE id = ?1")
      for (member, bytes) in bytes {
        try update.bind(member, at: 1)
        try update.bind(Int64(bytes), at: 2)
        try update.run()
      }
    }
  }

  /// Counts anew what members have written, of what is still in the log.
  public func recountWritten() throws(StoreError) {
    try write { _ throws(StoreError) in
      try connection.execute(
        """
        UPDATE member SET written = coalesce((
          SELECT sum(length(bytes)) FROM change JOIN stream ON stream.id = change.id >> 32
          WHERE stream.node IN (SELECT node FROM binding WHERE binding.library = member.library
            UNION SELECT node FROM identity WHERE author = member.id)), 0)
        """
      )
    }
  }
}
