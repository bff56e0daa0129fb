public import PaletteMerge
public import PaletteModel

/// An event for a session.
public enum SyncEvent: Sendable {
  /// The connection is open.
  case opened
  /// A frame arrived.
  case received([UInt8])
  /// The secret that the challenge is about, random bytes for the proof, and the address and port at
  /// which this side accepted the connection.
  case found(SecretHash, nonce: [UInt8], address: String)
  /// The secrets in the hello are good.
  case accepted(GrantedAccess)
  /// They are not, or the node id is taken.
  case rejected(SyncProtocol.CloseCode, code: String, reason: String)
  /// The changes of one `merge` are durable.
  case merged([MergedChanges])
  /// The snapshot of `mergeSnapshot` is durable, or was refused.
  case mergedSnapshot(PaletteID, SnapshotRefusal?)
  /// Changes were committed that did not come from this session.
  case committed(PaletteID, OutgoingBatch)
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
  /// Node ids belong to libraries as was not known before.
  case bindingsKnown([Frame.Binding])
  /// These node ids belong to the peer's library from now on.
  case bound([NodeID])
  /// This library gives back what the peer granted for a palette, or all of it.
  case gaveBack(PaletteID?)
  /// No grant is left, and why: `revoked` or `expired`.
  case revoked(code: String)
  /// The node ends.
  case draining(retryAfterMilliseconds: UInt64)
}

/// The acceptor's findings about the sender of a hello.
public struct GrantedAccess: Hashable, Sendable {
  /// The grants of the member.
  public var grants: [Grant]
  /// The node ids that are bound to the member's library.
  public var nodes: Set<NodeID>
  /// True if the grants are less than they were, for what the member writes has to wait.
  public var hasToWait: Bool

  /// Describes an admission.
  public init(
    grants: [Grant],
    nodes: Set<NodeID>,
    hasToWait: Bool = false
  ) {
    self.hasToWait = hasToWait
    self.grants = grants
    self.nodes = nodes
  }
}

/// The outcome of merging changes of a palette.
public struct MergedChanges: Hashable, Sendable {
  /// The palette.
  public let palette: PaletteID
  /// The outcomes, in order.
  public let results: [MergeResult]

  /// Describes what became of changes.
  public init(palette: PaletteID, results: [MergeResult]) {
    self.palette = palette
    self.results = results
  }
}

/// The outcome of merging one change.
public struct MergeResult: Hashable, Sendable {
  /// The change.
  public var dot: Dot
  /// The reason why it was refused; nil when it is held.
  public var refusal: Refusal?

  /// Describes a result.
  public init(dot: Dot, refusal: Refusal? = nil) {
    self.dot = dot
    self.refusal = refusal
  }
}
