internal import PaletteCommands
public import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// Where a node's library and its peers stand.
public struct NodeStatus: Equatable, Sendable {
  /// A node that the library joined.
  public struct Peer: Equatable, Sendable {
    /// Where the connection stands.
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

    /// How the peer is called in commands: its first address.
    public let url: String
    /// What its owner calls it; nil where that is not known yet.
    public let name: String?
    /// Where the connection stands.
    public let state: State
    /// Since when it is live, refused or cannot be reached; nil where that is not known yet.
    public let since: Moment?
    /// How many of this library's changes the peer has not stated to hold.
    public let pending: Int
    /// How many changes the peer holds and this library not yet, as far as is known.
    public let toCome: Int
    /// Whether everything that the peer had at the beginning of the connection is here.
    public let isCaughtUp: Bool
    /// Why it is refused or cannot be reached; nil where nothing is wrong.
    public let error: String?
  }

  /// How many palettes there are.
  public let palettes: Int
  /// How many colors they list.
  public let colors: Int
  /// How many registers have values that were written at the same time.
  public let conflicts: Int
  /// Two libraries with the same digest have the same palettes.
  public let digest: Digest
  /// How many of this library's changes no peer has stated to hold.
  public let pending: Int
  /// The nodes that the library joined, by URL.
  public let peers: [Peer]
  /// What keeps the library from being in sync, each in a few words.
  public let reasons: [String]

  /// Whether nothing keeps the library from being in sync.
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
    reasons = sync.reasons
  }

  /// Whether it may change without anything that is told.
  var isUnsettled: Bool { pending > 0 || peers.contains { $0.toCome > 0 || !$0.isCaughtUp } }
}

extension NodeStatus.Peer {
  fileprivate init(_ peer: PeerState) {
    url = peer.url
    name = peer.peer.name.isEmpty ? nil : peer.peer.name
    state = State(rawValue: peer.state) ?? .offline
    since = peer.sinceMilliseconds.map { Moment(milliseconds: $0) }
    pending = peer.pending
    toCome = peer.changesToCome
    isCaughtUp = peer.isCaughtUp
    error = peer.error
  }
}
