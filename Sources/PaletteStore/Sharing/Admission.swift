public import PaletteModel

/// What a library shows that wants to sync.
public struct Introduction: Sendable {
  /// The secret of the member that it is; empty for none.
  public var secret: [UInt8]
  /// The secret of a join code; empty for none.
  public var code: [UInt8]
  /// Its library.
  public var library: RecordID
  /// What it wants to be called.
  public var name: String
  /// Its present node id.
  public var node: NodeID
  /// Other ids that it has had.
  public var otherNodes: [NodeID]

  /// Describes what a library shows.
  public init(
    secret: [UInt8] = [],
    code: [UInt8] = [],
    library: RecordID,
    name: String = "",
    node: NodeID,
    otherNodes: [NodeID] = []
  ) {
    self.secret = secret
    self.code = code
    self.library = library
    self.name = name
    self.node = node
    self.otherNodes = otherNodes
  }
}

/// A library that was let in.
public struct AdmittedMember: Sendable {
  /// The member.
  public let member: Member
  /// What it may do now.
  public let grants: [Grant]
  /// The node ids that are bound to its library.
  public let nodes: Set<NodeID>
  /// Whether the fresh secret is its own from now on.
  public let isFresh: Bool
  /// Whether a join code was redeemed.
  public let hasRedeemed: Bool
}
