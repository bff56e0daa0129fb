package import PaletteStore
internal import PaletteSync

/// The log of a library that this hub owns, as the library's store appends to it.
///
/// It is asked before each commit, on the thread that has the library, and its answer is waited for.
package final class OwnedLog: CommitLog {
  /// The reason why the library cannot go on as it is.
  package enum Interruption: Equatable, Sendable {
    /// The outcome of an append is not known.
    case doubt
    /// Another hub owns the library, or the file lacks an entry that the log has.
    case lost
  }

  /// The longest content of an entry; a longer one would hold up every other library.
  private static let contentLimit = 8 << 20

  private let log: any SharedLog
  /// The claim under which an append may be tried now; nil where none may.
  private let claim: () -> LogClaim?
  private let onInterruption: (Interruption) -> Void
  /// The newest entry.
  package private(set) var position: CachePosition
  private var interruption: Interruption?

  /// Begins to append behind an entry.
  ///
  /// - Parameters:
  ///   - log: The shared log.
  ///   - position: The newest entry, which the file has.
  ///   - claim: Gives the claim under which an append may be tried; nil where none may.
  ///   - onInterruption: Is told once why nothing is appended any more.
  package init(
    _ log: any SharedLog,
    after position: CachePosition,
    claim: @escaping () -> LogClaim?,
    onInterruption: @escaping (Interruption) -> Void
  ) {
    self.log = log
    self.position = position
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
    guard content.count <= Self.contentLimit, changes.count <= CacheMaker.changesetLimit else {
      throw StoreError(code: .failed, message: "so much cannot be written at once")
    }
    let next = position.next(epoch: claim.epoch, content: content)
    let entry = LogEntry(position: next, content: content)
    do throws(SharedLogError) {
      try log.append(entry, after: position.hash, as: claim)
    } catch {
      switch error.outcome {
      case .notDone: break
      case .unknown: interrupt(.doubt)
      case .fenced: interrupt(.lost)
      }
      let code: StoreError.Code = error.reason == .full ? .diskFull : .failed
      throw StoreError(code: code, message: "the database: \(error.message)", hint: Self.hint)
    }
    position = next
    return next
  }

  package func committed(at position: CachePosition) {}

  package func commitFailed(at position: CachePosition, because error: StoreError) {
    interrupt(.lost)
  }

  private func interrupt(_ reason: Interruption) {
    guard interruption == nil else { return }
    interruption = reason
    onInterruption(reason)
  }

  private static let hint = "send the edit again"
}
