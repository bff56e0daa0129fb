/// The diffs of a palette from the moment on at which the sequence was taken from it.
///
/// Every sequence is a subscriber of its own and may be read in any isolation. A reader that keeps
/// up gets one diff a change. For one that does not, 64 diffs wait; whatever comes on top joins into
/// one diff, so nothing is ever lost, and applying the diffs in order always leads to the palette's
/// present colors. The sequence ends when the palette goes away or the task is cancelled.
///
/// Two iterators of one sequence share its diffs: each diff goes to one of them.
public struct PaletteDiffSequence: AsyncSequence, Sendable {
  /// What the sequence yields.
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
