public import PaletteModel

/// What happens to a session.
public enum SyncEvent: Sendable {
  /// The connection is open.
  case opened
  /// A frame arrived.
  case received([UInt8])
  /// The token in the hello is good.
  case accepted(Grant)
  /// The token in the hello is not, or the node id is taken.
  case rejected(SyncProtocol.CloseCode, code: String, reason: String)
  /// What `merge` asked for is durable.
  case merged(PaletteID, [MergeResult])
  /// What `mergeSnapshot` asked for is durable, or was refused.
  case mergedSnapshot(PaletteID, Refusal?)
  /// Changes were committed that did not come from this session.
  case committed(PaletteID, [OutgoingChange])
  /// A palette took a snapshot from elsewhere, so what it gained is in no list of changes.
  case rebuilt(PaletteID)
  /// More waits to be sent than the connection may hold: nothing else until it is writable.
  case congested
  /// The connection takes more.
  case writable
  /// Others have had their turn, so that the session may go on with pushing.
  case pushDue
  /// Time to see whether the peer is alive.
  case pingDue
  /// Somebody asks for old changes of an author.
  case historyWanted(PaletteID, NodeID, ClosedRange<UInt32>)
  /// Someone looks at something, here or behind another session.
  case present(Presence)
  /// The token was revoked.
  case revoked
  /// The node ends.
  case draining(retryAfterMilliseconds: UInt64)
}

/// What an accepted token grants.
public struct Grant: Hashable, Sendable {
  /// What the peer may do.
  public var role: Role
  /// What it may do it with.
  public var scope: Scope
  /// The node ids that have said hello with the token.
  public var nodes: Set<NodeID>
  /// The secret to come back with, where a join code was redeemed; else empty.
  public var token: [UInt8]

  /// Creates a grant.
  public init(role: Role, scope: Scope, nodes: Set<NodeID>, token: [UInt8] = []) {
    self.token = token
    self.role = role
    self.scope = scope
    self.nodes = nodes
  }
}

/// What became of one change that was to be merged.
public struct MergeResult: Hashable, Sendable {
  /// The change.
  public var dot: Dot
  /// Why it was refused; nil when it is held.
  public var refusal: Refusal?

  /// Describes a result.
  public init(dot: Dot, refusal: Refusal? = nil) {
    self.dot = dot
    self.refusal = refusal
  }
}
