/// A connection that is being made, over one address after the other.
struct ConnectAttempt {
  let request: ConnectRequest
  /// When everything must be done, in microseconds.
  let due: Int64
  /// The addresses that are left to try.
  var addresses: [String] = []
  /// What this side found wrong, in better words than libwebsockets has.
  var verdict: ConnectFailure?
  /// Whether the server was reached: then other addresses will not help.
  var isReached = false
}
