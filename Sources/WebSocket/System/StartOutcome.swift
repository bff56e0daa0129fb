import Synchronization

/// How the start of a loop went.
final class StartOutcome: Sendable {
  private let isKnown: Signal
  private let error = Mutex<(any Error)?>(nil)

  init?() {
    guard let signal = Signal() else { return nil }
    isKnown = signal
  }

  func succeed() {
    isKnown.raise()
  }

  func fail(_ error: any Error) {
    self.error.withLock { $0 = error }
    isKnown.raise()
  }

  /// Waits for the start; nil means success.
  func wait() -> (any Error)? {
    isKnown.wait()
    return error.withLock { $0 }
  }
}
