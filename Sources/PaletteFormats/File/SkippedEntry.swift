/// A part of a palette file that could not be read as a color.
public struct SkippedEntry: Hashable, Sendable {
  /// The place, such as `line 3`.
  public let at: String
  /// The reason why it was skipped.
  public let reason: String

  /// Creates a description of what was skipped.
  public init(at: String, reason: String) {
    self.at = at
    self.reason = reason
  }
}
