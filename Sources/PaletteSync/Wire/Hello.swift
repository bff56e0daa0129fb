public import PaletteModel

/// The first frame of whoever connects, unless a challenge goes before it.
public struct Hello: Hashable, Sendable {
  /// The protocol versions that the sender speaks, ascending.
  public var versions: [UInt64]
  /// The abilities of the sender beyond its versions.
  public var features: [String]
  /// The sender's present node id.
  public var node: NodeID
  /// The sender's library.
  public var library: RecordID
  /// The name that the sender wants to have.
  public var name: String
  /// The sender's clock, in milliseconds since 1970.
  public var milliseconds: UInt64
  /// The secret of the member that the sender is, or will be when the code is redeemed.
  public var secret: [UInt8]
  /// The secret of a join code to be redeemed; empty for none.
  public var code: [UInt8]
  /// Other ids under which the sender's library has made changes.
  public var otherNodes: [NodeID]

  /// The most other ids in a hello.
  public static let otherNodesLimit = 63
  /// The most bytes of a name.
  public static let nameBytes = 64

  /// Creates a hello; a name that is too long is cut.
  public init(
    versions: [UInt64] = SyncProtocol.versions,
    features: [String] = [],
    node: NodeID,
    library: RecordID,
    name: String = "",
    milliseconds: UInt64,
    secret: [UInt8] = [],
    code: [UInt8] = [],
    otherNodes: [NodeID] = []
  ) {
    self.versions = versions
    self.features = features
    self.node = node
    self.library = library
    self.name = name.cut(toBytes: Self.nameBytes)
    self.milliseconds = milliseconds
    self.secret = secret
    self.code = code
    self.otherNodes = otherNodes
  }
}
