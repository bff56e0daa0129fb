/// What a grant lets its member do.
public enum Role: String, CaseIterable, Comparable, Hashable, Sendable {
  /// Reads.
  case viewer
  /// Reads, and pushes changes that its own library made.
  case editor
  /// Reads, and pushes anyone's changes: another machine of the same people.
  case relay
  /// A relay that also shares and revokes.
  case owner

  /// Each role may do what the one before it may.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .editor: 1
    case .relay: 2
    case .owner: 3
    }
  }
}
