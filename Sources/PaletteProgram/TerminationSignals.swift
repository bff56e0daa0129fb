internal import PalettePlatform

/// The signals by which a process that runs on is asked to end, or to read its files again.
///
/// They are blocked before other threads begin, and waited for in one place.
package struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks the signals in this thread and in those that it starts.
  package static func block() -> TerminationSignals {
    var signals = TerminationSignals()
    sigemptyset(&signals.set)
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      // Whoever started the process may want it to outlive the terminal.
      if !Platform.isIgnored(signal) { sigaddset(&signals.set, signal) }
    }
    pthread_sigmask(SIG_BLOCK, &signals.set, nil)
    return signals
  }

  /// Ends the process as the signal does that nobody takes care of.
  package static func die(of signal: CInt) -> Never {
    PalettePlatform.signal(signal, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    // To this thread: another may wait for those of the process.
    raise(signal)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _exit(128 + signal)
  }

  /// The moment by which waiting ends, on the clock that no one sets.
  package static func deadline(afterSeconds seconds: Double?) -> Double {
    Platform.uptime + min(seconds ?? 1e9, 1e9)
  }

  /// Waits for one of the signals.
  ///
  /// - Returns: The signal; nil when none came before the deadline.
  package func wait(until deadline: Double) -> CInt? {
    var set = set
    while true {
      let left = deadline - Platform.uptime
      guard left > 0 else { return nil }
      var time = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
      let signal = sigtimedwait(&set, nil, &time)
      if signal > 0 { return signal }
    }
  }

  /// The name of a signal.
  package static func name(_ signal: CInt) -> String {
    switch signal {
    case SIGTERM: "SIGTERM"
    case SIGINT: "SIGINT"
    case SIGHUP: "SIGHUP"
    default: "signal \(signal)"
    }
  }
}

extension TerminationSignals {
  /// Waits for the signal that ends a program which serves.
  ///
  /// SIGHUP means that the terminal is gone, or, where there was none, that certificates are new.
  ///
  /// - Parameters:
  ///   - seconds: The time limit; nil for none.
  ///   - hasTerminal: True if the program was started on a terminal.
  ///   - manager: The service manager that hears how it is doing.
  ///   - reload: Reads the certificates again.
  ///   - whenFree: Runs something on the thread that does the work: one that hangs says nothing.
  /// - Returns: The signal; nil when the time limit came first.
  package func waitForEnd(
    within seconds: Double?,
    hasTerminal: Bool,
    _ manager: ServiceManager?,
    reload: () -> Void,
    whenFree: (@escaping @Sendable () -> Void) -> Void
  ) -> CInt? {
    let deadline = Self.deadline(afterSeconds: seconds)
    var beat = Self.deadline(afterSeconds: manager?.beatSeconds)
    while true {
      switch wait(until: min(beat, deadline)) {
      case nil:
        guard Platform.uptime < deadline else { return nil }
        beat = Self.deadline(afterSeconds: manager?.beatSeconds)
        whenFree { manager?.tell("WATCHDOG=1") }
      case SIGHUP where !hasTerminal:
        manager?.tell("RELOADING=1\nMONOTONIC_USEC=\(Int64(Platform.uptime * 1e6))")
        reload()
        whenFree { manager?.tell("READY=1") }
      case let signal?: return signal
      }
    }
  }
}
