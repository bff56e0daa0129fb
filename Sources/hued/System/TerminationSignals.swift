import Glibc

/// The signals by which a process that runs on is asked to end.
///
/// They are blocked before other threads begin, and waited for in one place.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks the signals in this thread and in those that it starts.
  static func block() -> TerminationSignals {
    var signals = TerminationSignals()
    sigemptyset(&signals.set)
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      var current = sigaction()
      sigaction(signal, nil, &current)
      // Whoever started the process may want it to outlive the terminal.
      if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
        != unsafeBitCast(SIG_IGN, to: Int.self)
      {
        sigaddset(&signals.set, signal)
      }
    }
    pthread_sigmask(SIG_BLOCK, &signals.set, nil)
    return signals
  }

  /// Waits for one of the signals.
  ///
  /// - Returns: Whether one came before the time was over.
  func wait(seconds: Double?) -> Bool {
    var set = set
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let deadline = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + min(seconds ?? 1e9, 1e9)
    while true {
      clock_gettime(CLOCK_MONOTONIC, &now)
      let left = deadline - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9
      guard left > 0 else { return false }
      var time = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
      if sigtimedwait(&set, nil, &time) > 0 { return true }
    }
  }
}
