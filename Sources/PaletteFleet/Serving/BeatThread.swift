internal import PalettePlatform
internal import Synchronization
internal import WebSocket

/// A thread that does one thing again and again, and now and then something else.
///
/// It is a thread of its own and no task or queue: a process whose threads are all busy must not lose its lease.
final class BeatThread: Sendable {
  private struct State {
    var isOver = false
    var thread: Thread?
    var others: [@Sendable () -> Void] = []
  }

  /// The time between looks at what else there is to do, in microseconds.
  private static let pause: UInt32 = 20_000

  private let state = Mutex(State())

  /// Begins to call `body`, now and after each interval.
  func run(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
    guard let thread = Thread.start({ [self] in loop(every: seconds, body) }) else { return }
    state.withLock { $0.thread = thread }
  }

  /// Has something done on the thread, soon.
  func perform(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.others.append(body) }
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
      let others = state.withLock { state in
        defer { state.others = [] }
        return state.others
      }
      for other in others { other() }
      usleep(Self.pause)
    }
  }
}
