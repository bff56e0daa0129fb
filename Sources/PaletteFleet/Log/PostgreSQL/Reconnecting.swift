/// The times at which a database that failed may be asked again.
struct Reconnecting {
  private var failures = 0
  private var next = 0.0
  private var writable = 0.0
  private var fullness = 0

  /// Returns whether a connection may be tried.
  func mayConnect(at now: Double) -> Bool { now >= next }

  /// Returns whether a write may be tried.
  func mayWrite(at now: Double) -> Bool { now >= writable }

  /// A connection was made.
  mutating func connected() {
    failures = 0
    next = 0
  }

  /// A connection failed: again after 50 ms, and up to 2 s, with a jitter.
  mutating func failed(at now: Double, using generator: inout some RandomNumberGenerator) {
    failures += 1
    let longest = min(2, 0.05 * Double(1 << min(failures, 6)))
    next = now + Double.random(in: 0.05...longest, using: &generator)
  }

  /// A write was done.
  mutating func wrote() {
    fullness = 0
    writable = 0
  }

  /// The database was full: again after 1 s, and up to 10 s.
  mutating func wasFull(at now: Double) {
    fullness += 1
    writable = now + Double(min(10, 1 << min(fullness - 1, 4)))
  }
}
