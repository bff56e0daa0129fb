extension EventLoop {
  /// Runs an action on this loop's thread after a while; the loop's own clock counts, so a paused
  /// or jumping wall clock changes nothing.
  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    let id = timers.schedule(at: now + delay.microseconds, action)
    armTimer()
    return id
  }

  /// Forgets an action that has not run yet.
  package func cancel(_ timer: TimerID) {
    timers.cancel(timer)
  }

  /// Runs what is due.
  func runTimers() {
    // Actions may schedule others; those wait for the next round, however short their delay.
    let instant = now
    while let action = timers.popDue(at: instant) { action() }
    // Timers run just before the wait, which would hold up what they sent.
    flushAll()
    armTimer()
  }

  /// Ends a connection after a while, unless it gets further before.
  func setDeadline(of connection: Connection, after delay: Duration) {
    clearDeadline(of: connection)
    connection.deadline = schedule(after: delay) { [unowned self, weak connection] in
      guard let connection else { return }
      connection.deadline = nil
      expire(connection)
    }
  }

  func clearDeadline(of connection: Connection) {
    if let deadline = connection.deadline { cancel(deadline) }
    connection.deadline = nil
  }
}
