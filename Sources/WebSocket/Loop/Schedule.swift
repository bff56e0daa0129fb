/// The later work of a loop: actions that wait for their time, and events that wait until
/// libwebsockets is left.
final class Schedule {
  private let library: ServiceContext
  private var timers = TimerQueue()
  private var deferred: [() -> Void] = []

  init(_ library: ServiceContext) {
    self.library = library
  }

  /// Runs an action after a while; the loop's own clock counts, so a paused or jumping wall clock
  /// changes nothing.
  @discardableResult
  func run(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    let id = timers.schedule(at: now + delay.microseconds, action)
    library.setTimer(at: timers.nextDue())
    return id
  }

  /// Forgets an action that has not run yet.
  func cancel(_ timer: TimerID) { timers.cancel(timer) }

  /// The number of actions that wait for their time.
  var count: Int { timers.count }

  /// Runs what is due.
  func runDue() {
    // Actions may schedule others; those wait for the next round, however short their delay.
    let instant = now
    while let action = timers.popDue(at: instant) { action() }
  }

  /// Sets the timer of libwebsockets for the time at which the earliest action is due.
  func arm() { library.setTimer(at: timers.nextDue()) }

  /// Runs an action once libwebsockets is left.
  func later(_ action: @escaping () -> Void) {
    deferred.append(action)
    // Timers run just before the wait, which would hold the action up.
    if deferred.count == 1 { library.wake() }
  }

  /// True if an action waits until libwebsockets is left.
  var hasDeferred: Bool { !deferred.isEmpty }

  /// Runs what has waited until libwebsockets was left, and what comes of it.
  func runDeferred() {
    while !deferred.isEmpty {
      let actions = deferred
      deferred = []
      for action in actions { action() }
    }
  }

  /// Forgets what waits for its time.
  func cancelAll() {
    timers = TimerQueue()
  }
}
