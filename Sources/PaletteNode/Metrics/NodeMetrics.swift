internal import PaletteCommands
internal import WebSocket

/// What a node has counted since its start.
struct NodeMetrics {
  /// When the node started.
  let startMilliseconds: Int64
  var requests = 0
  var commits = 0
  var changes = 0
  /// Payload, without what protocols add.
  var receivedBytes = 0
  var sentBytes = 0
  /// How often a client did not take what was meant for it.
  var overflows = 0

  /// Connections that were ended before they showed who they are, by reason.
  var refusedConnections: [ConnectionRefusal: Int] = [:]
  /// Requests and greetings without a valid right, and breaches of a protocol.
  ///
  /// By the status of HTTP or the code with which the connection was closed: only this node chooses them.
  private(set) var refusals: [Int: Int] = [:]
  /// Edits of members that have to wait for room.
  var delays = 0

  private(set) var commitTimes = Histogram()
  private(set) var tellingTimes = Histogram()
  /// The calls of each method, in the order of the table; what is no method comes last.
  private(set) var callTimes: [Histogram]
  private(set) var failedCalls: [Int]

  /// When the disk began to write the commit that goes on.
  private var commitStart: ContinuousClock.Instant?
  /// When the oldest edit arrived that watchers are to be told of.
  private var editArrival: ContinuousClock.Instant?

  /// The names by which calls are counted: those of the table alone, whatever a client sends.
  static let methods = CommandTable.methods.map(\.name) + ["unknown"]
  private static let indices = Dictionary(
    uniqueKeysWithValues: methods.enumerated().map { ($1, $0) }
  )

  init(startMilliseconds: Int64) {
    self.startMilliseconds = startMilliseconds
    callTimes = Array(repeating: Histogram(), count: Self.methods.count)
    failedCalls = Array(repeating: 0, count: Self.methods.count)
  }

  var calls: Int { callTimes.reduce(0) { $0 + $1.count } }

  /// Counts somebody who was refused.
  mutating func refuse(code: Int) { refusals[code, default: 0] += 1 }

  /// A call was answered; waiting for a turn and for the disk since its arrival counts too.
  mutating func answered(
    _ method: String,
    arrival: ContinuousClock.Instant,
    hasFailed: Bool
  ) {
    let index = Self.indices[method] ?? Self.methods.count - 1
    callTimes[index].record(arrival.duration(to: .now))
    if hasFailed { failedCalls[index] += 1 }
  }

  /// All is written that the next commit makes durable.
  mutating func commitBegins() { commitStart = .now }

  /// Something is durable; where several palettes were written, this is called for each.
  ///
  /// - Parameter end: When it was durable, if that is known.
  mutating func commitEnded(at end: ContinuousClock.Instant?) {
    guard let start = commitStart else { return }
    commitTimes.record(start.duration(to: end ?? .now))
    commitStart = nil
  }

  /// What began was no commit after all, or it failed.
  mutating func commitIsOver() { commitStart = nil }

  /// An edit was carried out that watchers may have to be told of.
  mutating func edited(arrival: ContinuousClock.Instant) {
    editArrival = min(editArrival ?? arrival, arrival)
  }

  /// Watchers were told of the edits so far.
  mutating func told() {
    guard let arrival = editArrival else { return }
    tellingTimes.record(arrival.duration(to: .now))
    editArrival = nil
  }

  /// The edits so far concern nobody who watches.
  mutating func forgetEdits() { editArrival = nil }
}
