/// The severity of a message of libwebsockets.
package enum LogLevel: Int, Comparable, Sendable {
  /// Something failed.
  case error
  /// Something is odd.
  case warning
  /// Something that happens now and then.
  case notice
  /// Details.
  case info

  /// Orders levels from the most serious.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
