/// The effect of a change.
///
/// The set is closed: a new kind is a new protocol version.
public enum ChangeKind: UInt8, Hashable, Sendable {
  /// Adds a record; merges as `set`.
  case add = 0
  /// Writes registers of a record.
  case set = 1
  /// Covers the live dots of a record that its author saw.
  case delete = 2
  /// Brings a record back; merges as `set`.
  case restore = 3
  /// Covers the palette: its record's live dots and everything within a frontier.
  case drop = 4

  /// The word for the kind in output.
  public var word: String {
    switch self {
    case .add: "add"
    case .set: "set"
    case .delete: "delete"
    case .restore: "restore"
    case .drop: "drop"
    }
  }

  /// True for the kinds that write registers.
  public var writesRegisters: Bool { self == .add || self == .set || self == .restore }
}

/// The sizes beyond which bytes are no change, on every node.
///
/// The limits that bind authors are lower, and are checked before a change is made.
public enum ChangeLimits {
  /// The most bytes a change may have.
  public static let changeBytes = 60 * 1024
  /// The most bytes a name or note may have.
  public static let textBytes = 16 * 1024
  /// The most bytes a place may have.
  public static let placeBytes = 1024
}

/// The reason why bytes are no change.
///
/// Every node decides this from the bytes and the palette alone, and so identically.
public struct MalformedChange: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, as a sentence for people.
  public let description: String

  /// A row of a snapshot that the snapshot itself does not claim to hold.
  package static let beyondFrontier = MalformedChange("a row lies beyond the snapshot's frontier")
  /// A row of a snapshot without a live value, or with one that its change does not write.
  static let noLiveValue = MalformedChange("a row of the snapshot has no such live value")

  package init(_ description: String) {
    self.description = description
  }
}
