/// The relation of a hub to a library that it has, or is about to have.
struct Tenure: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// The statement that takes the library is on its way.
    case taking
    /// The library is the hub's.
    case owned
    /// An append has no known outcome; true while the statement that ends the doubt is on its way.
    case doubt(isAsked: Bool)
    /// The library is being closed, and then let go.
    case leaving
  }

  var phase: Phase
  var epoch: Int64
  /// The time from which a beat that is sent tells the truth about this tenure.
  var since: Double
  /// The time at which the hub got the library.
  var began: Double
  /// The time at which a connection last reached the library.
  var touched: Double
}

/// The lettings go of a library because another hub wanted it.
struct Handovers: Hashable, Sendable {
  /// The time for which a library is held before it is handed over the first time.
  static let shortestHold = 10.0
  /// The longest such time.
  static let longestHold = 300.0
  /// The time after which a handover is forgotten.
  static let memory = 600.0

  private var count = 0
  private var last = 0.0

  /// The time for which the library has to be held before it is handed over.
  func hold(at now: Double) -> Double {
    guard count > 0, now - last <= Self.memory else { return Self.shortestHold }
    return min(Self.longestHold, Self.shortestHold * Double(1 << min(count, 8)))
  }

  /// The library is handed over.
  mutating func add(at now: Double) {
    count = now - last <= Self.memory ? count + 1 : 1
    last = now
  }
}
