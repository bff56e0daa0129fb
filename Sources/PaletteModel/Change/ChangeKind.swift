/// What a change does.
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
