/// The patience with a silent WebSocket.
package struct Patience: Hashable, Sendable {
  /// The time that the other side may be silent before it is sent a ping, and then another.
  package let pingAfter: Duration
  /// The time that it may be silent in all.
  package let silenceLimit: Duration
  /// The time that what was sent may stay unacknowledged by the other side's system; nil for its
  /// usual time.
  package let unacknowledgedLimit: Duration?

  /// Describes a patience.
  package init(
    pingAfter: Duration = .seconds(25),
    silenceLimit: Duration = .seconds(60),
    unacknowledgedLimit: Duration? = nil
  ) {
    self.pingAfter = pingAfter
    self.silenceLimit = silenceLimit
    self.unacknowledgedLimit = unacknowledgedLimit
  }

  /// The interval at which connections are looked at: a ping is at most a quarter of its interval
  /// late.
  var checkInterval: Duration { max(min(pingAfter, silenceLimit) / 4, .milliseconds(5)) }
}
