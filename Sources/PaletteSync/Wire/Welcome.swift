public import PaletteModel

/// The answer to a hello that was accepted.
public struct Welcome: Hashable, Sendable {
  /// The version that both sides speak from now on.
  public var version: UInt64
  /// The sender's present node id.
  public var node: NodeID
  /// The sender's library.
  public var library: RecordID
  /// What the receiver may do.
  public var role: Role
  /// What the receiver may do it with.
  public var scope: Scope
  /// The secret to come back with, where the hello's was a join code; else empty.
  public var token: [UInt8]
  /// The most bytes of a frame that the sender takes.
  public var frameBytes: UInt64
  /// The sender's clock, in milliseconds since 1970.
  public var milliseconds: UInt64
  /// What both sides can do beyond the version.
  public var features: [String]

  /// Creates a welcome.
  public init(
    version: UInt64,
    node: NodeID,
    library: RecordID,
    role: Role,
    scope: Scope,
    token: [UInt8] = [],
    frameBytes: UInt64 = UInt64(SyncProtocol.frameBytes),
    milliseconds: UInt64,
    features: [String] = []
  ) {
    self.version = version
    self.node = node
    self.library = library
    self.role = role
    self.scope = scope
    self.token = token
    self.frameBytes = frameBytes
    self.milliseconds = milliseconds
    self.features = features
  }
}
