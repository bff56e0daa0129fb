/// Why bytes are no change.
///
/// Every node decides this from the bytes and the palette alone, and so identically.
public struct MalformedChange: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for people.
  public let description: String

  package init(_ description: String) {
    self.description = description
  }
}
