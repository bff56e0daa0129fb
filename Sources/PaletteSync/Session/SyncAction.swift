public import PaletteMerge
public import PaletteModel

/// An action that a session wants, in order.
public enum SyncAction: Hashable, Sendable {
  /// Send a frame.
  case send([UInt8])
  /// Send frames that other sessions are sent as well.
  case sendShared(SharedFrames)
  /// Find the secret whose hash begins so, and answer with `found` or `rejected`.
  case findSecret([UInt8])
  /// Decide on a hello, and answer with `accepted` or `rejected`.
  case authenticate(Hello)
  /// Merge changes of palettes that the peer may push, commit them, and answer with `merged`.
  case merge([ArrivedChanges])
  /// There is more to push: come back with `pushDue` when others have had their turn.
  case pushOn
  /// Merge a snapshot, commit it, and answer with `mergedSnapshot`.
  case mergeSnapshot(PaletteID, Snapshot)
  /// The same with a snapshot that came packed.
  case mergeStaged(PaletteID, StagedSnapshot)
  /// The peer refuses the connection.
  case refused(code: String, reason: String)
  /// The peer lacks changes that only a relay or owner can give it.
  case withheld(PaletteID)
  /// The session is established.
  case established(SyncPeer)
  /// The peer durably holds this much of a palette: the newest statement, which replaces the last.
  case stated(PaletteID, Frontier, isWhole: Bool)
  /// The peer durably holds what we hold of every palette in scope, apart from some.
  case equal(except: Set<PaletteID>)
  /// All that either side had when they met is exchanged.
  case caughtUp
  /// A change of ours was refused for good.
  case refusedByPeer(PaletteID, Dot, code: String, reason: String)
  /// A change of the peer's was refused for good.
  case refusedHere(PaletteID, Dot, code: String)
  /// The change under this dot differs from the peer's.
  case forked(PaletteID, Dot)
  /// The peer has shown another change under one of our ids after this number, so that ours have to
  /// be issued again; the link of the last common change, where it is known.
  case reissue(PaletteID, NodeID, after: UInt32, link: UInt64?)
  /// Both sides hold the same changes and show something else: a defect to report and repair.
  case diverged(PaletteID)
  /// The peer's clock was read: its time, and the round trip where it is known.
  case clock(peerMilliseconds: UInt64, sentMilliseconds: UInt64?)
  /// The peer has answered `historyWanted`.
  case oldHistory(OldHistory)
  /// Someone looks at something.
  case presence(Presence)
  /// The peer tells which node ids belong to which library.
  case bindings([Frame.Binding])
  /// The peer gives back what was granted to it for a palette, or all of it.
  case givenBack(PaletteID?)
  /// The peer states or asks for more than one connection may, and is refused.
  case overBudget
  /// The peer ends, and asks to come back later.
  case retryAfter(milliseconds: UInt64)
  /// Close the connection when all is sent.
  case close(SyncProtocol.CloseCode, reason: String)
}

/// Whom a session is with.
public struct SyncPeer: Hashable, Sendable {
  /// The peer's present node id.
  public let node: NodeID
  /// The peer's library.
  public let library: RecordID
  /// The name that it wants to have.
  public let name: String
  /// The grants of this library there, or of the peer here.
  public let grants: [Grant]
  /// Palettes that it still granted, and were given back with this connection.
  public private(set) var givenBack: Set<PaletteID> = []
  /// True if what the member writes has to wait, and the grants are less for that.
  public let hasToWait: Bool
}
