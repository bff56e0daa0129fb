import PaletteCommands
import PalettePlatform
import PaletteProgram

/// Ends the process when it is interrupted or when its time is over.
///
/// A thread waits for the signal, so that nothing here is bound by the rules of signal handlers.
final class ProcessWatchdog: Sendable {
  /// The time that work that was asked to end may take for it.
  private static let patienceSeconds = 3

  private let timeoutSeconds: Double?
  private let report: ErrorReport

  private init(timeoutSeconds: Double?, report: ErrorReport) {
    self.timeoutSeconds = timeoutSeconds
    self.report = report
  }

  /// Begins to wait; the library's transactions are made to survive the sudden end.
  static func start(timeoutSeconds: Double?, report: ErrorReport) {
    var signals = sigset_t()
    sigemptyset(&signals)
    // Whoever started the process may want it to outlive the keyboard's interrupt.
    if !Platform.isIgnored(SIGINT) { sigaddset(&signals, SIGINT) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watch = Unmanaged.passRetained(
      ProcessWatchdog(timeoutSeconds: timeoutSeconds, report: report)
    )
    var thread = pthread_t()
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ProcessWatchdog>.fromOpaque(context).takeRetainedValue().wait()
        return nil
      },
      watch.toOpaque()
    )
    guard status == 0 else {
      watch.release()
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      return
    }
    pthread_detach(thread)
  }

  private func wait() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    let seconds = min(timeoutSeconds ?? 1e9, 1e9)
    let deadline = Platform.uptime + seconds
    while true {
      let left = max(0, deadline - Platform.uptime)
      var time = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
      if sigtimedwait(&signals, nil, &time) == SIGINT {
        if Interruption.request() {
          // The work ends the process itself, unless it is too long about it or is asked again.
          var patience = timespec(tv_sec: Self.patienceSeconds, tv_nsec: 0)
          sigtimedwait(&signals, nil, &patience)
        }
        end(.interrupted)
      }
      if Platform.uptime >= deadline {
        let message = "timed out after \(Self.text(seconds))"
        end(APIError(code: "timed-out", message: message))
      }
    }
  }

  private func end(_ error: APIError) {
    ProgressLine.endCurrent()
    TemporaryFiles.removeAll()
    _ = Platform.writeAll(report.text(error).utf8, to: STDERR_FILENO)
    _exit(ExitCode(errorCode: error.code).rawValue)
  }

  private static func text(_ seconds: Double) -> String {
    seconds == 1
      ? "1 second" : "\(Int(exactly: seconds).map(String.init) ?? String(seconds)) seconds"
  }
}
