/// The reason why an operation on the shared log failed, and what is known of its effect.
package struct SharedLogError: Error, Hashable {
  /// The effect that the operation had.
  package enum Outcome: Hashable, Sendable {
    /// Nothing was done.
    case notDone
    /// It was done, or will be, or neither.
    case unknown
    /// Nothing was done, since the library belongs to somebody else or is not as it was thought.
    case fenced
  }

  /// The kind of the failure.
  package enum Reason: Hashable, Sendable {
    /// The database cannot be reached, or was lost.
    case away
    /// A lock was held too long.
    case busy
    /// It met another transaction, and may be tried again at once.
    case conflict
    /// The database takes no writes.
    case readOnly
    /// The disk of the database or its memory is full.
    case full
    /// The password is wrong, or the role may not do it.
    case forbidden
    /// The server has no database of that name.
    case noDatabase
    /// The connection string cannot be read.
    case badAddress
    /// A later program has made the tables, or has brought a library to its format.
    case newerSchema
    /// The server is older than version 13.
    case oldServer
    /// Something between here and the server forgets prepared statements.
    case pooler
    /// It is there already.
    case exists
    /// The claim is lost.
    case fenced
    /// Anything else.
    case other
  }

  /// The effect.
  package let outcome: Outcome
  /// The kind.
  package let reason: Reason
  /// The words of the server or of its library, in one line; they have no password.
  package let message: String

  /// Tells of a failure.
  package init(_ outcome: Outcome, _ reason: Reason, _ message: String) {
    self.outcome = outcome
    self.reason = reason
    self.message = message
  }

  /// No row has the owner, epoch, head and hash that an operation named.
  package static let fenced = SharedLogError(.fenced, .fenced, "the library has another owner")

  /// A later program has brought a library to its format.
  static func newer(_ name: String) -> SharedLogError {
    SharedLogError(.notDone, .newerSchema, "library \(name) belongs to a newer hued-fleet")
  }
}
