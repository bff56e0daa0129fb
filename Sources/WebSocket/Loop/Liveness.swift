/// Whether the other side of a connection still answers.
///
/// It is asked when it is silent, and given up when it stays so. Times are in microseconds, on any
/// clock that does not jump.
struct Liveness {
  /// What is to be done about a silent connection.
  enum Verdict {
    case fine, ask, lost
  }

  private let pingAfter: Int64
  private let silenceLimit: Int64
  private var heard: Int64
  private var asked: Int64?
  /// When the connection is given up for another reason than long silence.
  private var limit: Int64?

  init(_ patience: Patience, at now: Int64) {
    pingAfter = patience.pingAfter.microseconds
    silenceLimit = patience.silenceLimit.microseconds
    heard = now
  }

  /// Notes that the other side said something.
  mutating func hear(at now: Int64) {
    heard = now
    asked = nil
    limit = nil
  }

  /// Notes that nobody listened here for some time, so that silence until now says nothing.
  mutating func excuse(at now: Int64) {
    heard = max(heard, now - pingAfter)
    asked = nil
    limit = limit.map { _ in now + silenceLimit - pingAfter }
  }

  /// Suspects that the other side is out of reach: it has to answer soon.
  mutating func doubt(at now: Int64, within patience: Int64) {
    guard limit == nil else { return }
    limit = now + patience
    asked = now
  }

  /// Looks at the time.
  mutating func verdict(at now: Int64) -> Verdict {
    if now - heard >= silenceLimit || limit.map({ now >= $0 }) == true { return .lost }
    guard now - heard >= pingAfter, asked.map({ now - $0 >= pingAfter }) != false else {
      return .fine
    }
    asked = now
    return .ask
  }
}
