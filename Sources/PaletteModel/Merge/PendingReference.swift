/// Something a held change said of a dot that is not held yet.
///
/// Nothing waits for it: when the dot arrives, its value is dead, or covered, at once.
public struct PendingReference: Hashable, Sendable {
  /// The record that the change was about.
  public let record: RecordID
  /// The dot that is not held.
  public let dot: Dot
  /// The register whose value was replaced; nil when the dot was covered.
  public let register: Register?

  /// Creates a pending reference.
  public init(record: RecordID, dot: Dot, register: Register?) {
    self.record = record
    self.dot = dot
    self.register = register
  }
}
