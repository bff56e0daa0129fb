import Synchronization

/// One subscriber's queue, and whoever waits for it.
///
/// The palette writes from its own isolation, the subscriber reads from any.
final class DiffSubscription: Sendable {
  private typealias Continuation = CheckedContinuation<PaletteDiff?, Never>

  private struct State {
    var queue = DiffQueue()
    /// The readers that wait for the next diff: none, while the queue holds one.
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

/// The diffs that one subscriber has not taken yet, in bounded memory and without loss.
///
/// Up to ``capacity`` diffs wait one by one. What comes on top is remembered as two lists, the one
/// before and the one after, and becomes a single diff when the subscriber gets there.
struct DiffQueue: Sendable {
  /// The number of diffs that wait one by one.
  static let capacity = 64

  private var diffs: [PaletteDiff] = []
  private var rest: (before: [NamedColor], after: [NamedColor])?

  /// Adds a change.
  mutating func push(_ change: PaletteChange) {
    if rest != nil {
      rest?.after = change.after
    } else if diffs.count < Self.capacity {
      diffs.append(change.diff)
    } else {
      rest = (change.before, change.after)
    }
  }

  /// Takes the next diff; nil when there is none, or when what was left cancelled itself out.
  mutating func pop() -> PaletteDiff? {
    if !diffs.isEmpty { return diffs.removeFirst() }
    guard let (before, after) = rest else { return nil }
    rest = nil
    let diff = PaletteDiff(betweenSound: before, and: after)
    return diff.isEmpty ? nil : diff
  }
}

/// The diffs of a palette from the moment on at which the sequence was taken from it.
///
/// Every sequence is a subscriber of its own and may be read in any isolation. A reader that keeps
/// up gets one diff a change. For one that does not, 64 diffs wait; whatever comes on top joins into
/// one diff, so nothing is ever lost, and applying the diffs in order always leads to the palette's
/// present colors. The sequence ends when the palette goes away or the task is cancelled.
///
/// Two iterators of one sequence share its diffs: each diff goes to one of them.
public struct PaletteDiffSequence: AsyncSequence, Sendable {
  /// The sequence yields diffs.
  public typealias Element = PaletteDiff

  let subscription: DiffSubscription

  /// Reads the diffs one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: DiffSubscription

    /// The next diff; nil at the end, and when the task is cancelled.
    public mutating func next() async -> PaletteDiff? {
      await subscription.next()
    }

    /// The next diff; nil at the end, and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> PaletteDiff? {
      await subscription.next()
    }
  }

  /// An iterator that takes its diffs from this sequence.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(subscription: subscription)
  }
}
