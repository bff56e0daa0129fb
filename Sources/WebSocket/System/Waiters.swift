import Synchronization

/// Tasks that wait for the end of a loop.
final class Waiters: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>

  /// Nil once the loop has ended.
  private let continuations = Mutex<[Continuation]?>([])

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = continuations.withLock { continuations in
        continuations?.append(continuation)
        return continuations == nil
      }
      if isOver { continuation.resume() }
    }
  }

  func release() {
    let waiting = continuations.withLock { continuations in
      defer { continuations = nil }
      return continuations ?? []
    }
    for continuation in waiting { continuation.resume() }
  }
}
