extension SharedLogError {
  /// The failure of a statement that the server answered with an error.
  ///
  /// Only those are definite that are raised before the commit; of 739 outcomes that were unknown a third had
  /// been committed.
  ///
  /// - Parameters:
  ///   - state: The SQLSTATE.
  ///   - message: The words of the server.
  init(state: String, message: String) {
    switch state {
    case "40001", "40P01": self.init(.notDone, .conflict, message)
    case "55P03", "57014": self.init(.notDone, .busy, message)
    case "25006": self.init(.notDone, .readOnly, message)
    case "53300": self.init(.notDone, .away, message)
    case "42501": self.init(.notDone, .forbidden, message)
    // Of a table that somebody else is making, its name, its row or its type may be there first.
    case "42P07", "23505", "42710": self.init(.notDone, .exists, message)
    case "3D000": self.init(.notDone, .noDatabase, message)
    case _ where Self.isForgotten(state): self.init(.notDone, .pooler, message)
    case _ where state.hasPrefix("53"): self.init(.notDone, .full, message)
    case _ where state.hasPrefix("28"): self.init(.notDone, .forbidden, message)
    case _ where state.hasPrefix("08") || state.hasPrefix("57P"):
      self.init(.unknown, .away, message)
    default: self.init(.unknown, .other, message)
    }
  }

  /// The failure to connect, for which libpq has no SQLSTATE but in its verbose words.
  init(connecting words: String) {
    let line = words.split(separator: "\n").first.map(String.init) ?? "no connection"
    // A digit first: `FATAL` has five letters too.
    let state = line.matches(of: #/: +([0-9][0-9A-Z]{4}): /#).last.map { String($0.1) } ?? "08006"
    let meant = SharedLogError(state: state, message: line)
    self.init(.notDone, meant.reason == .other ? .away : meant.reason, line)
  }

  /// Returns whether the server does not know a prepared statement, or knows another one by its name.
  static func isForgotten(_ state: String) -> Bool { ["26000", "0A000", "42P05"].contains(state) }
}
