/// What a token lets its owner do.
public enum Role: String, CaseIterable, Hashable, Sendable {
  /// Reads.
  case viewer
  /// Reads, and pushes changes that its own library made.
  case editor
  /// Reads, and pushes anyone's changes: another machine of the same people.
  case relay
  /// A relay that also shares and revokes.
  case owner

  /// Whether the role lets a change by one's own library through.
  public var pushesOwn: Bool { self != .viewer }
  /// Whether the role lets changes by anyone, and snapshots, through.
  public var pushesAnyones: Bool { self == .relay || self == .owner }
}
