package import PaletteStore
internal import PaletteSync

/// The log of a library that this hub owns, as the library's store appends to it.
///
/// It is asked before each commit, on the thread that has the library, and its answer is waited for.
package final class OwnedLog: CommitLog {
  /// The reason why the library cannot go on as it is.
  package enum Interruption: Equatable, Sendable {
    /// The outcome of an append is not known, or the log is not what this hub thinks: another hub owns the
    /// library, or the log has lost its end.
    case doubt
    /// The file lacks an entry that the log has.
    case broken
    /// A commit is too long for an entry; it was not made, and is to be a jump.
    case tooLong([UInt8])
  }

  private let log: any SharedLog
  /// The claim under which an append may be tried now; nil where none may.
  private let claim: () -> LogClaim?
  private let onInterruption: (Interruption) -> Void
  private let limits: LogLimits
  /// Receives the size of each entry, and the time that it took.
  package var onAppend: (Int, Duration) -> Void = { _, _ in }
  /// The newest entry.
  package private(set) var position: CachePosition
  /// The growth of the log since its image; nil before that is known.
  package private(set) var growth: LogGrowth?
  /// The bytes that were appended before the growth was known.
  private var uncounted: Int64 = 0
  private var interruption: Interruption?

  /// Begins to append behind an entry.
  ///
  /// - Parameters:
  ///   - log: The shared log.
  ///   - position: The newest entry, which the file has.
  ///   - limits: The longest entry, and the growth at which an image is due.
  ///   - claim: Gives the claim under which an append may be tried; nil where none may.
  ///   - onInterruption: Receives, once, the reason why nothing is appended any more.
  package init(
    _ log: any SharedLog,
    after position: CachePosition,
    limits: LogLimits = LogLimits(),
    claim: @escaping () -> LogClaim?,
    onInterruption: @escaping (Interruption) -> Void
  ) {
    self.log = log
    self.position = position
    self.limits = limits
    self.claim = claim
    self.onInterruption = onInterruption
  }

  package func append(_ changes: [UInt8]) throws(StoreError) -> CachePosition {
    guard interruption == nil, let claim = claim() else {
      throw StoreError(
        code: .failed,
        message: "this hub may not write the library",
        hint: Self.hint
      )
    }
    let content = Deflate.squeeze(changes)
    guard content.count <= limits.longestContent, changes.count <= CacheMaker.changesetLimit else {
      interrupt(.tooLong(changes))
      throw StoreError(
        code: .failed,
        message: "so much at once is written apart",
        hint: Self.hint
      )
    }
    let next = position.next(epoch: claim.epoch, content: content)
    let entry = LogEntry(position: next, content: content)
    let start = ContinuousClock.now
    do throws(SharedLogError) {
      try log.append(entry, after: position.hash, as: claim)
    } catch {
      switch error.outcome {
      case .notDone: break
      case .unknown, .fenced: interrupt(.doubt)
      }
      let code: StoreError.Code = error.reason == .full ? .diskFull : .failed
      throw StoreError(code: code, message: "the database: \(error.message)", hint: Self.hint)
    }
    position = next
    onAppend(content.count, ContinuousClock.now - start)
    grow(by: Int64(content.count))
    return next
  }

  /// Counts what follows an image from here on.
  ///
  /// - Parameter growth: The growth that the log had when the library was opened.
  package func count(from growth: LogGrowth) {
    self.growth = growth
    grow(by: uncounted)
    uncounted = 0
  }

  /// Takes note of a new image.
  ///
  /// - Parameters:
  ///   - bytes: Its size.
  ///   - covered: The growth up to the entry that it stands for.
  package func imageWasMade(bytes: Int64, covering covered: Int64) {
    guard let behind = growth?.behind else { return }
    growth = LogGrowth(behind: max(0, behind - covered), image: bytes)
  }

  /// True if the log has grown so much that a new image is worth its bytes.
  package var needsImage: Bool { growth?.isDue(limits) ?? false }

  private func grow(by bytes: Int64) {
    if growth == nil { uncounted += bytes } else { growth?.behind += bytes }
  }

  package func committed(at position: CachePosition) {}

  package func commitFailed(at position: CachePosition, because error: StoreError) {
    interrupt(.broken)
  }

  private func interrupt(_ reason: Interruption) {
    guard interruption == nil else { return }
    interruption = reason
    onInterruption(reason)
  }

  private static let hint = "send the edit again"
}
