import CWebSockets
import Synchronization

/// The receiver of libwebsockets' messages: it knows one place a process.
package enum LibraryLog {
  /// A function by itself would be wrapped once more each time that it is read from the lock, and calling it would
  /// take longer and longer, until the stack ends.
  private struct Sink {
    let write: @Sendable (LogLevel, String) -> Void
  }

  private static let sink = Mutex<Sink?>(nil)

  /// Sends messages up to a level to `sink`, from whichever thread they come; nil silences them.
  package static func setSink(
    upTo level: LogLevel = .warning,
    _ sink: (@Sendable (LogLevel, String) -> Void)?
  ) {
    self.sink.withLock { $0 = sink.map { Sink(write: $0) } }
    apply(sink == nil ? nil : level)
  }

  /// Silences the library unless a sink was set: it writes to standard error by itself.
  static func prepare() {
    if sink.withLock({ $0 == nil }) { apply(nil) }
  }

  private static func apply(_ level: LogLevel?) {
    let flags: [(LogLevel, Int32)] = [
      (.error, LLL_ERR), (.warning, LLL_WARN), (.notice, LLL_NOTICE), (.info, LLL_INFO),
    ]
    let wanted = flags.filter { flag in level.map { flag.0 <= $0 } ?? false }
    lws_set_log_level(wanted.reduce(0) { $0 | $1.1 }) { level, text in
      guard let text else { return }
      var line = String(cString: text)
      while line.last?.isNewline == true { line.removeLast() }
      LibraryLog.emit(level, line)
    }
  }

  /// Hands a message on.
  static func emit(_ flag: Int32, _ line: String) {
    let level: LogLevel =
      switch flag {
      case LLL_ERR: .error
      case LLL_WARN: .warning
      case LLL_NOTICE: .notice
      default: .info
      }
    sink.withLock { $0 }?.write(level, line)
  }
}
