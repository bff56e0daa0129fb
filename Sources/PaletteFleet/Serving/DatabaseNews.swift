/// The lines about a database that does not answer: one after some seconds, one a minute, and one when it
/// answers again.
///
/// A connection that is lost and made again at once is nobody's business.
struct DatabaseNews {
  /// The time without an answer after which the first line is written.
  private static let patience = 3.0
  /// The shortest time between two lines that it does not answer.
  private static let interval = 60.0

  /// The reason why it does not answer; nil while it does.
  private(set) var reason: SharedLogError.Reason?
  private var since = 0.0
  private var isTold = false
  private var told = -Double.infinity

  /// The database did not answer.
  ///
  /// - Returns: A line for the log, where one is due.
  mutating func failed(_ error: SharedLogError, at now: Double) -> String? {
    if reason == nil { since = now }
    reason = error.reason
    guard now - since >= Self.patience, now - told >= Self.interval else { return nil }
    (isTold, told) = (true, now)
    return "\(error.reason.hindrance): \(error.message)"
  }

  /// The database answered.
  ///
  /// - Returns: A line for the log, where the last one was that it does not.
  mutating func answered() -> String? {
    defer { (reason, isTold) = (nil, false) }
    return isTold ? "the database answers again" : nil
  }
}

extension SharedLogError.Reason {
  /// The state of the database in words that tell strangers nothing of it.
  var hindrance: String {
    switch self {
    case .forbidden: "the database refuses this hub"
    case .readOnly: "the database takes no writes"
    case .full: "the disk of the database is full"
    case .noDatabase: "the database is gone"
    case .newerSchema: "the database belongs to a newer hued-fleet"
    case .oldServer: "the server of the database is too old"
    case .away, .busy, .conflict, .badAddress, .pooler, .exists, .fenced, .other:
      "the database does not answer"
    }
  }
}
