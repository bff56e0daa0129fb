public import PaletteMerge
public import PaletteModel

/// The answer to a hello that was accepted.
public struct Welcome: Hashable, Sendable {
  /// The version that both sides speak from now on.
  public var version: UInt64
  /// The sender's present node id.
  public var node: NodeID
  /// The sender's library.
  public var library: RecordID
  /// The name that the sender wants to have.
  public var name: String
  /// The grants of the receiver there.
  public var grants: [Grant]
  /// The most bytes of a frame that the sender takes.
  public var frameBytes: UInt64
  /// The sender's clock, in milliseconds since 1970.
  public var milliseconds: UInt64
  /// The abilities of both sides beyond the version.
  public var features: [String]

  /// The most grants in a welcome.
  public static let grantLimit = 1_000

  /// Creates a welcome; a name that is too long is cut.
  public init(
    version: UInt64,
    node: NodeID,
    library: RecordID,
    name: String = "",
    grants: [Grant],
    frameBytes: UInt64 = UInt64(SyncProtocol.frameBytes),
    milliseconds: UInt64,
    features: [String] = []
  ) {
    self.version = version
    self.node = node
    self.library = library
    self.name = name.cut(toBytes: Hello.nameBytes)
    self.grants = grants
    self.frameBytes = frameBytes
    self.milliseconds = milliseconds
    self.features = features
  }
}
