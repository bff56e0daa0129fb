/// The durations of an operation, counted by length.
///
/// Recording writes one of a fixed number of counts, so that it can stand on the path of every edit.
package struct Histogram {
  /// Upper bounds in seconds, from a call that only reads to one that nobody waits for any more.
  private static let bounds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]
  private static let nanoseconds = bounds.map { Int64($0 * 1e9) }

  /// The count of each bound, and at the end of what took longer.
  private var counts: [17 of Int] = .init(repeating: 0)
  private var total: Int64 = 0

  /// Makes a histogram of nothing.
  package init() {}

  /// Counts one duration; a clock that went back counts as none.
  package mutating func record(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let time = max(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, 0)
    var index = 0
    while index < Self.nanoseconds.count, time > Self.nanoseconds[index] { index += 1 }
    counts[index] += 1
    total += time
  }

  /// The number that was counted.
  var count: Int { counts.indices.reduce(0) { $0 + counts[$1] } }

  /// The sum of all durations, in seconds.
  var sum: Double { Double(total) / 1e9 }

  /// The number that took at most as long as each bound, which ends with infinity.
  var cumulative: [(bound: Double, count: Int)] {
    var count = 0
    return counts.indices.map { index in
      count += counts[index]
      return (index < Self.bounds.count ? Self.bounds[index] : .infinity, count)
    }
  }
}
