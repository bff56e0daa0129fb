package import PaletteCommands
public import PaletteMerge
public import PaletteModel
public import PaletteStore

/// The state of a node's library and its peers.
public struct NodeStatus: Equatable, Sendable {
  /// A node that the library joined.
  public struct Peer: Equatable, Sendable {
    /// The state of the connection.
    public enum State: String, Sendable {
      /// Connected.
      case live
      /// Tried again at this moment.
      case connecting
      /// The peer refuses this library; ask whoever runs it for a new code.
      case refused
      /// It cannot be reached now, and is tried again by itself.
      case offline
    }

    /// The name of the peer in commands: its first address.
    public let url: String
    /// The name that its owner gave it; nil if it is not known yet.
    public let name: String?
    /// The rights that it granted.
    public let grants: [Grant]
    /// The state of the connection.
    public let state: State
    /// Since when it is live, refused or cannot be reached; nil where that is not known yet.
    public let since: Moment?
    /// The number of this library's changes the peer has not stated to hold.
    public let pending: Int
    /// The number of changes the peer holds and this library not yet, as far as is known.
    public let toCome: Int
    /// True if everything that the peer had at the beginning of the connection is here.
    public let isCaughtUp: Bool
    /// The reason why it is refused or cannot be reached; nil where nothing is wrong.
    public let error: String?
    /// The same as commands have it.
    package let standing: PeerStanding
  }

  /// A right of a member, which can be revoked.
  public struct Right: Identifiable, Equatable, Sendable {
    /// The id by which it is revoked.
    public let id: String
    /// The role, the palette that it is for, and its end.
    public let grant: Grant
  }

  /// Somebody whom the library lets in: another machine, a script, or a page in a browser.
  public struct Member: Identifiable, Equatable, Sendable {
    /// The constant id.
    public let id: String
    /// The name that it wants to have, a claim; nil if it gave none.
    public let name: String?
    /// The kind of the member.
    public let kind: MemberKind
    /// True while it is connected.
    public let isLive: Bool
    /// Since when it is connected, or is not; nil where that is not known.
    public let since: Moment?
    /// When it was last there; nil while it is connected, and if it never was.
    public let lastContact: Moment?
    /// The number of changes that it lacks; nil where that is not known.
    public let pending: Int?
    /// The palettes that it has in view.
    public let views: [PaletteID]
    /// Its rights.
    public let rights: [Right]
  }

  /// The number of palettes there are.
  public let palettes: Int
  /// The number of colors they list.
  public let colors: Int
  /// The number of registers that have values that were written at the same time.
  public let conflicts: Int
  /// Two libraries with the same digest have the same palettes.
  public let digest: Digest
  /// The number of this library's changes no peer has stated to hold.
  public let pending: Int
  /// The nodes that the library joined, by URL.
  public let peers: [Peer]
  /// Everybody whom the library lets in, in the order of names.
  public let members: [Member]
  /// The reasons why the library is not in sync, each in a few words.
  public let reasons: [String]

  /// True if nothing keeps the library from being in sync.
  public var isInSync: Bool { reasons.isEmpty }

  /// Looks at a library on the node's thread.
  init(of library: OpenLibrary) throws {
    let sync = try library.syncState(in: library.store)
    let totals = try library.store.totals()
    palettes = totals.palettes
    colors = totals.colors
    conflicts = totals.conflicts
    digest = try library.store.digest()
    pending = sync.pending.values.reduce(0, +)
    peers = sync.peers.map(Peer.init)
    members = try library.memberStates().map(Member.init)
    reasons = sync.reasons
  }

  /// True if it may change without anything that is told.
  var isUnsettled: Bool {
    pending > 0 || peers.contains { $0.toCome > 0 || !$0.isCaughtUp }
      || members.contains { $0.isLive && ($0.pending ?? 0) > 0 }
  }
}

extension NodeStatus.Peer {
  fileprivate init(_ peer: PeerState) {
    url = peer.url
    name = peer.peer.name.isEmpty ? nil : peer.peer.name
    grants = peer.peer.grants
    state =
      switch peer.state {
      case .live: .live
      case .connecting: .connecting
      case .refused: .refused
      case .offline: .offline
      }
    since = peer.sinceMilliseconds.map { Moment(milliseconds: $0) }
    pending = peer.pending
    toCome = peer.changesToCome
    isCaughtUp = peer.isCaughtUp
    error = peer.error?.text
    standing = PeerStanding(peer)
  }
}

extension NodeStatus.Member {
  fileprivate init(_ state: MemberState) {
    let (member, presence) = (state.member, state.presence)
    id = member.uid
    name = member.name.isEmpty ? nil : member.name
    kind = member.kind
    isLive = presence.isLive
    since = presence.sinceMilliseconds.map { Moment(milliseconds: $0) }
    // It would be another one at each word of whoever is there.
    lastContact =
      presence.isLive ? nil : state.lastContactMilliseconds.map { Moment(milliseconds: $0) }
    pending = presence.pending
    views = presence.views
    rights = state.grants.map { NodeStatus.Right(id: $0.uid, grant: $0.grant) }
  }
}
