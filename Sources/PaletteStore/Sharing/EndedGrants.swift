/// The grants of a library that are over for good, whatever an older copy of it says of them.
struct EndedGrants {
  /// The names of the grants, and whether each was revoked; else its join code is used up.
  private var grants: [(uid: String, isRevoked: Bool)] = []

  /// Reads them.
  ///
  /// - Throws: `StoreError` where the library cannot be read, or has none of this form.
  init(of library: borrowing DatabaseConnection) throws(StoreError) {
    let select = try library.prepare(
      "SELECT uid, revoked FROM granted WHERE revoked OR code NOT NULL AND member NOT NULL"
    )
    try select.rows { row in grants.append((row.text(0), row.int64(1) != 0)) }
  }

  /// Ends them in an older copy of the library.
  ///
  /// - Returns: How many counted there.
  /// - Throws: `StoreError` when the copy cannot be written.
  func end(in copy: borrowing DatabaseConnection) throws(StoreError) -> Int {
    try copy.transaction { () throws(StoreError) in
      let update = try copy.prepare(
        """
        UPDATE granted SET revoked = 1 WHERE uid = ?1 AND NOT revoked AND (?2 OR member IS NULL)
        RETURNING 1
        """
      )
      var count = 0
      for grant in grants {
        try update.bind(grant.uid, at: 1)
        try update.bind(grant.isRevoked ? 1 : 0, at: 2)
        try update.rows { _ in count += 1 }
      }
      return count
    }
  }
}
