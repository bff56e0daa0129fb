/// The stable words by which a change is refused for good.
public enum Nack: String, CaseIterable, Sendable {
  /// The token does not let the change through.
  case notAllowed = "not-allowed"
  /// The bytes are no change.
  case malformed
  /// Another change with this dot, or before it, is held.
  case fork
}
