/// The lines about a database that does not answer: one after some seconds, one a minute, and one when it
/// answers again.
///
/// A connection that is lost and made again at once is nobody's business, and a database that goes away again and
/// again is one that does not answer.
struct DatabaseNews {
  /// The time without an answer after which the first line is written.
  private static let patience = 3.0
  /// The shortest time between two lines that it does not answer.
  private static let interval = 60.0
  /// The time of answers after which the next outage is another one.
  private static let recovery = 10.0

  /// The reason why it does not answer; nil while it does.
  private(set) var reason: SharedLogError.Reason?
  private var since = 0.0
  private var isTold = false
  private var told = -Double.infinity
  /// The time at which the last outage ended.
  private var end = 0.0

  /// The database did not answer.
  ///
  /// - Returns: A line for the log, where one is due.
  mutating func failed(_ error: SharedLogError, at now: Double) -> String? {
    if reason == nil {
      since = now
      if now - end >= Self.recovery { told = -.infinity }
    }
    reason = error.reason
    guard now - since >= Self.patience, now - told >= Self.interval else { return nil }
    (isTold, told) = (true, now)
    return "\(error.reason.hindrance): \(error.message)"
  }

  /// The database answered.
  ///
  /// - Returns: A line for the log, where the last one was that it does not.
  mutating func answered(at now: Double) -> String? {
    if reason != nil { end = now }
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

/// The end of a library that the database had acknowledged and does not have any more, as a hub finds it.
enum LostEnd {
  /// The hub's copy does not continue what the database has: it is kept in a file.
  case kept(file: String)
  /// The hub has given it back.
  case givenBack
  /// Edits that were made here are missing; who has them gives them back.
  case lacking

  /// The words for those who ask how a library is.
  func words(for title: String) -> String {
    switch self {
    case .kept(let file):
      "the database has lost the end of \(title); what this hub had is in \(file)"
    case .givenBack: "the database had lost the end of \(title); this hub has given it back"
    case .lacking:
      "the database lacked edits of \(title) that were made here; who has them gives them back"
    }
  }

  /// The notice that a library has after another one, which stays: it may name a file that somebody is to look at.
  static func notice(_ words: String, after earlier: String?) -> String {
    guard let earlier, !earlier.contains(words) else { return earlier ?? words }
    return "\(earlier); \(words)"
  }
}
