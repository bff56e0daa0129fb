/// Bounds what refusals may write to a log: so many lines a second, and the rest as one number.
///
/// Whoever is refused costs nothing by coming again, so without a bound the log would be theirs to
/// fill.
struct RefusalLog {
  /// What becomes of a refusal.
  enum Outcome: Equatable {
    /// It gets a line.
    case line
    /// It is only counted; the first one that is asks for `takeOmitted` a second later.
    case omitted(isFirst: Bool)
  }

  /// The most lines a second.
  static let linesPerSecond = 10

  private var startMilliseconds: Int64 = 0
  private var lines = 0
  private var omitted = 0
  private var lastReason = ""

  /// Counts a refusal.
  mutating func add(_ reason: String, at milliseconds: Int64) -> Outcome {
    // A clock that goes back begins a new second too.
    if !(startMilliseconds..<startMilliseconds + 1000).contains(milliseconds) {
      startMilliseconds = milliseconds
      lines = 0
    }
    if lines < Self.linesPerSecond {
      lines += 1
      return .line
    }
    omitted += 1
    lastReason = reason
    return .omitted(isFirst: omitted == 1)
  }

  /// How many refusals got no line since this was asked last, and why the last of them was one.
  mutating func takeOmitted() -> (count: Int, lastReason: String) {
    defer { omitted = 0 }
    return (omitted, lastReason)
  }
}
