internal import PaletteCommands

/// The counters of a library since its node began to serve it, whether its room is open or not.
final class NodeMetrics {
  /// The time of the node's start.
  let startMilliseconds: Int64
  private(set) var requests = 0
  private(set) var commits = 0
  private(set) var changes = 0
  /// Payload, without what protocols add.
  private(set) var receivedBytes = 0
  private(set) var sentBytes = 0
  /// The number of times that a client did not accept a message meant for it.
  private(set) var overflows = 0
  /// Edits of members that have to wait for room.
  private(set) var delays = 0

  private(set) var commitTimes = Histogram()
  private(set) var tellingTimes = Histogram()
  /// The calls of each method, in the order of the table; what is no method comes last.
  ///
  /// Empty before the first call: most libraries of a large process are hardly ever called.
  private(set) var callTimes: [Histogram] = []
  private(set) var failedCalls: [Int] = []

  /// The time at which the disk began to write the present commit.
  private var commitStart: ContinuousClock.Instant?
  /// The arrival of the oldest edit that watchers have not heard of.
  private var editArrival: ContinuousClock.Instant?

  /// The names by which calls are counted: those of the table alone, whatever a client sends.
  static let methods = CommandTable.methods.map(\.name) + ["unknown"]
  private static let indices = Dictionary(
    uniqueKeysWithValues: methods.enumerated().map { ($1, $0) }
  )

  init(startMilliseconds: Int64) {
    self.startMilliseconds = startMilliseconds
  }

  var calls: Int { callTimes.reduce(0) { $0 + $1.count } }

  /// Counts an HTTP request.
  func requested() { requests += 1 }

  /// Counts the payload of a message that came.
  func received(_ bytes: Int) { receivedBytes += bytes }

  /// Counts the payload of messages that left.
  func sent(_ bytes: Int) { sentBytes += bytes }

  /// Counts a client that did not take what was meant for it.
  func overflowed() { overflows += 1 }

  /// Counts an edit that has to wait for room.
  func delayed() { delays += 1 }

  /// A call was answered; waiting for a turn and for the disk since its arrival counts too.
  func answered(
    _ method: String,
    arrival: ContinuousClock.Instant,
    hasFailed: Bool
  ) {
    if callTimes.isEmpty {
      callTimes = Array(repeating: Histogram(), count: Self.methods.count)
      failedCalls = Array(repeating: 0, count: Self.methods.count)
    }
    let index = Self.indices[method] ?? Self.methods.count - 1
    callTimes[index].record(arrival.duration(to: .now))
    if hasFailed { failedCalls[index] += 1 }
  }

  /// All is written that the next commit makes durable.
  func commitBegins() { commitStart = .now }

  /// Changes of a palette are durable; where several were written, this is called for each.
  ///
  /// - Parameters:
  ///   - count: How many changes.
  ///   - end: When they were durable, if that is known.
  func committed(_ count: Int, at end: ContinuousClock.Instant?) {
    commits += 1
    changes += count
    guard let start = commitStart else { return }
    commitTimes.record(start.duration(to: end ?? .now))
    commitStart = nil
  }

  /// Forgets the start of a commit that failed, or was none.
  func commitIsOver() { commitStart = nil }

  /// An edit was carried out that watchers may have to be told of.
  func edited(arrival: ContinuousClock.Instant) {
    editArrival = min(editArrival ?? arrival, arrival)
  }

  /// Watchers were told of the edits so far.
  func told() {
    guard let arrival = editArrival else { return }
    tellingTimes.record(arrival.duration(to: .now))
    editArrival = nil
  }

  /// The edits so far concern nobody who watches.
  func forgetEdits() { editArrival = nil }
}
