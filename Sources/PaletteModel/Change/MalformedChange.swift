/// Why bytes are no change.
///
/// Every node decides this from the bytes and the palette alone, and so identically.
public struct MalformedChange: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for people.
  public let description: String

  /// A row of a snapshot that the snapshot itself does not claim to hold.
  package static let beyondFrontier = MalformedChange("a row lies beyond the snapshot's frontier")
  /// A row of a snapshot without a live value, or with one that its change does not write.
  package static let noLiveValue = MalformedChange("a row of the snapshot has no such live value")

  package init(_ description: String) {
    self.description = description
  }
}
