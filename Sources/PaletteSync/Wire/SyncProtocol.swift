/// The constants of the protocol `hued.sync.v1`.
public enum SyncProtocol {
  /// The WebSocket subprotocol.
  public static let subprotocol = "hued.sync.v1"
  /// The versions that this build speaks.
  public static let versions: [UInt64] = [1]
  /// The most bytes of a frame.
  public static let frameBytes = 64 * 1024
  /// The most bytes that one snapshot chunk, or the changes of one frame, are packed to.
  public static let payloadBytes = 48 * 1024
  /// The credit that each side grants at the start, and the least outstanding from then on.
  public static let creditBytes: UInt64 = 1024 * 1024
  /// The most bytes of all snapshots that a session is receiving.
  public static let snapshotBytes = 256 * 1024 * 1024
  /// The most palettes whose snapshots a session is receiving.
  static let unfinishedSnapshots = 10_000
  /// No change has fewer bytes.
  static let leastChangeBytes = 40
  /// The most bytes of what precedes the rows of a packed snapshot.
  static let snapshotHeadBytes = 32 * 1024 * 1024
  /// The abilities of this build beyond its versions.
  public static let features = [packedSnapshots, packedChanges, wholePalettes]
  /// The feature of reading snapshots in columns.
  static let packedSnapshots = "packed-snapshots"
  /// The feature of reading changes in columns, and of telling a gap from a mere statement.
  static let packedChanges = "packed-changes"
  /// The feature of naming, sending and acknowledging many palettes in a frame.
  static let wholePalettes = "whole-palettes"
  /// The number of palettes one frame may say to be lacking.
  static let lackingEntries = 1_000
  /// The word of a welcome, beside the features, that grants less because there is no room.
  static let overQuota = "over-quota"
  /// The most bytes that the changes of one packed frame may have.
  static let unpackedBytes = 512 * 1024
  /// The number of bytes of changes and snapshots that are pushed before others have their turn.
  static let pushedBytes: UInt64 = 256 * 1024
  /// The fewest bytes a frame that a peer must take.
  public static let leastFrameBytes = 8 * 1024
  /// The number of links that are asked for at a time, at the most.
  public static let probes = 1024
  /// The number of authors of a frontier that go into one frame.
  static let frontierEntries = 1_500
  /// The number of bindings that go into one frame.
  static let bindingEntries = 1_000
  /// The number of changes of one frame that are refused by name; whoever sends more knows the
  /// rest.
  static let nacksAFrame = 16
  /// The number of groups in which palettes are compared.
  public static let buckets = 256

  /// The reason for closing a connection, as its WebSocket close code.
  public enum CloseCode: UInt16, Sendable {
    /// All is said.
    case normal = 1000
    /// The node ends.
    case goingAway = 1001
    /// The peer broke the protocol.
    case protocolError = 1002
    /// The peer asks or states more than one connection may.
    case overBudget = 1008
    /// The peer does not read what it asked for.
    case tooSlow = 1013
    /// The token is unknown, expired or revoked.
    case unauthorized = 4401
    /// The welcome says more than was agreed when the library joined.
    case scopeChanged = 4403
    /// The node id belongs to somebody else.
    case nodeTaken = 4409
    /// There is no version that both sides speak.
    case incompatible = 4426

    /// The code of a connection that was refused with a word.
    init(refusal code: String) {
      switch code {
      case "incompatible": self = .incompatible
      case "node-taken": self = .nodeTaken
      case "over-budget": self = .overBudget
      case "scope-changed": self = .scopeChanged
      default: self = .unauthorized
      }
    }
  }
}
