internal import PaletteCommands
internal import PalettePlatform
internal import Synchronization
internal import WebSocket

/// A thread that does one thing again and again.
///
/// It is a thread of its own and no task or queue: a process whose threads are all busy must not lose its lease.
final class BeatThread: Sendable {
  private struct State {
    var isOver = false
    var thread: Thread?
  }

  /// The time between looks at the clock, in microseconds.
  private static let pause: UInt32 = 20_000

  private let state = Mutex(State())

  /// Begins to call `body`, now and after each interval.
  ///
  /// - Throws: `failed` when the system has no thread.
  func run(
    every seconds: Double,
    _ body: @escaping @Sendable () -> Void
  ) throws(APIError) {
    guard let thread = Thread.start({ [self] in loop(every: seconds, body) }) else {
      throw APIError(code: "failed", message: "the system has no thread for beats")
    }
    state.withLock { $0.thread = thread }
  }

  /// Ends the thread, and waits until it does nothing any more.
  func end() {
    let thread = state.withLock { state in
      defer { state.thread = nil }
      state.isOver = true
      return state.thread
    }
    thread?.join()
  }

  private func loop(every seconds: Double, _ body: @Sendable () -> Void) {
    var next = Platform.secondsSinceStart
    while !state.withLock({ $0.isOver }) {
      if Platform.secondsSinceStart >= next {
        next = Platform.secondsSinceStart + seconds
        body()
      }
      usleep(Self.pause)
    }
  }
}
