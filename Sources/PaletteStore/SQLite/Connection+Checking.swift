extension Connection {
  /// Reads everything and lists what is damaged; empty when nothing is.
  package func integrityCheck() throws(StoreError) -> [String] {
    try problems(pragma: "integrity_check")
  }

  /// Reads a table and its indexes and lists what is damaged, or where they disagree.
  package func integrityCheck(of table: String) throws(StoreError) -> [String] {
    try problems(pragma: "integrity_check(\(table))")
  }

  private func problems(pragma: String) throws(StoreError) -> [String] {
    var found: [String] = []
    do throws(StoreError) {
      try prepare("PRAGMA \(pragma)").rows { found.append($0.text(0)) }
    } catch  where error.code == .corrupt {
      // Some damage ends the check itself.
      found.append(error.message)
    }
    return found == ["ok"] ? [] : found
  }
}
