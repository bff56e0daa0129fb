internal import Synchronization

/// The lines of libwebsockets for the log: a few a second, for every stranger can make it say something.
final class LibraryLines: Sendable {
  private let limit = Mutex(RefusalLog())

  /// The line for what libwebsockets says; nil where it has said enough for now.
  func line(for text: String, atMilliseconds now: Int64) -> String? {
    limit.withLock { limit in
      guard limit.add(text, at: now) == .line else { return nil }
      let omitted = limit.removeOmitted().count
      return omitted == 0 ? text : "\(text) (\(omitted) lines like this were left out before)"
    }
  }
}
