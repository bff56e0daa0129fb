extension Connection {
  /// Reads everything and lists what is damaged; empty when nothing is.
  package func integrityCheck() throws(StoreError) -> [String] {
    try problems(pragma: "integrity_check")
  }

  /// Lists damage of the pages, without comparing indexes with their tables; much faster.
  package func quickCheck() throws(StoreError) -> [String] {
    try problems(pragma: "quick_check")
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
