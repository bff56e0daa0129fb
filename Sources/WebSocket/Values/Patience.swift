/// How it is found out that a WebSocket is dead.
package struct Patience: Hashable, Sendable {
  /// How long the other side may be silent before it is sent a ping, and then another.
  package let pingAfter: Duration
  /// How long it may be silent in all.
  package let silenceLimit: Duration
  /// How long what was sent may stay unacknowledged by the other side's system; nil for its usual
  /// time.
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

  /// How often connections are looked at: a ping is at most a quarter of its interval late.
  var checkInterval: Duration { max(min(pingAfter, silenceLimit) / 4, .milliseconds(5)) }
}
