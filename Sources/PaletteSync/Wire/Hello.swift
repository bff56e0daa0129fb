public import PaletteModel

/// The first frame of whoever connects.
public struct Hello: Hashable, Sendable {
  /// The protocol versions that the sender speaks, ascending.
  public var versions: [UInt64]
  /// What the sender can do beyond its versions.
  public var features: [String]
  /// The sender's present node id.
  public var node: NodeID
  /// The sender's library.
  public var library: RecordID
  /// The secret of the sender's token; empty for none.
  public var token: [UInt8]
  /// The sender's clock, in milliseconds since 1970.
  public var milliseconds: UInt64

  /// Creates a hello.
  public init(
    versions: [UInt64] = SyncProtocol.versions,
    features: [String] = [],
    node: NodeID,
    library: RecordID,
    token: [UInt8],
    milliseconds: UInt64
  ) {
    self.versions = versions
    self.features = features
    self.node = node
    self.library = library
    self.token = token
    self.milliseconds = milliseconds
  }
}
