import PalettePlatform
import Synchronization

/// A thread of the operating system.
package struct Thread: Sendable {
  private let handle: pthread_t

  /// Starts a thread, or says that there can be no more.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Thread? {
    let box = Unmanaged.passRetained(Body(body))
    var handle = pthread_t()
    let code = pthread_create(
      &handle,
      nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      box.toOpaque()
    )
    guard code == 0 else {
      box.release()
      return nil
    }
    return Thread(handle: handle)
  }

  /// Waits for the end; once at most.
  package func join() {
    pthread_join(handle, nil)
  }

  /// Lets the thread end by itself; instead of joining.
  func detach() {
    pthread_detach(handle)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}

/// The outcome of a loop's start.
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
