import Synchronization

/// One subscriber's queue, and whoever waits for it.
///
/// The palette writes from its own isolation, the subscriber reads from any.
final class DiffSubscription: Sendable {
  private typealias Continuation = CheckedContinuation<PaletteDiff?, Never>

  private struct State {
    var queue = DiffQueue()
    /// Who waits for the next diff: nobody, while the queue holds one.
    var waiting: [(number: Int, continuation: Continuation)] = []
    var nextNumber = 0
    var isFinished = false
  }

  private enum Answer {
    case resume(PaletteDiff?)
    case wait
  }

  private let state = Mutex(State())

  /// Hands a change to whoever waits, or else to the queue.
  func push(_ change: PaletteChange) {
    let continuation: Continuation? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.queue.push(change)
      return nil
    }
    continuation?.resume(returning: change.diff)
  }

  /// Ends the sequence after what is queued.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for (_, continuation) in waiting { continuation.resume(returning: nil) }
  }

  /// The next diff; nil at the end, and when the task is cancelled.
  func next() async -> PaletteDiff? {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if case .resume(let diff) = answer(to: continuation, number: number) {
          continuation.resume(returning: diff)
        }
      }
    } onCancel: {
      stopWaiting(number)
    }
  }

  /// Decides under the lock, so that a cancellation comes either before, and is seen here, or after,
  /// and finds the continuation waiting.
  private func answer(to continuation: Continuation, number: Int) -> Answer {
    state.withLock { state in
      if Task.isCancelled { return .resume(nil) }
      if let diff = state.queue.pop() { return .resume(diff) }
      if state.isFinished { return .resume(nil) }
      state.waiting.append((number, continuation))
      return .wait
    }
  }

  private func stopWaiting(_ number: Int) {
    let continuation: Continuation? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index).continuation
    }
    continuation?.resume(returning: nil)
  }
}
