/// A clock that a test sets.
public final class ManualClock {
  /// Milliseconds since 1970.
  public var milliseconds: Int64

  /// Creates a clock that stands still.
  public init(milliseconds: Int64 = 1_700_000_000_000) {
    self.milliseconds = milliseconds
  }
}
