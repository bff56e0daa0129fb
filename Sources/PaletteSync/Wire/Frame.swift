public import PaletteMerge
public import PaletteModel

/// One message of the protocol `hued.sync.v1`: a deterministic CBOR array that begins with its type.
public enum Frame: Hashable, Sendable {
  /// The greeting of a peer, with its right.
  case hello(Hello)
  /// The connection is accepted.
  case welcome(Welcome)
  /// The connection is refused: a stable word, and a reason for people.
  case refuse(code: String, reason: String)
  /// The digest over all palettes in scope. Equal on both sides, all is said.
  case summary(Digest)
  /// The 256 digests over palettes by the last byte of their ids.
  case buckets([Digest])
  /// The sender's palettes in buckets that differ.
  case palettes(buckets: [UInt8], entries: [Entry], isLast: Bool)
  /// The frontier up to which the sender durably holds a palette, and its digest at that moment;
  /// `asks` when the receiver is to tell its own. Many authors take several frames.
  case frontier(PaletteID, Frontier, Digest, asks: Bool, isLast: Bool)
  /// Consecutive changes of one author.
  case changes(PaletteID, NodeID, first: UInt32, [[UInt8]])
  /// A numbered part of a snapshot.
  case snapshot(PaletteID, index: UInt64, isLast: Bool, [UInt8])
  /// The frontier up to which the sender durably holds some authors, after a commit.
  case ack(PaletteID, Frontier)
  /// A change that the sender refuses for good.
  case nack(PaletteID, Dot, code: String, reason: String)
  /// The number of more bytes of changes and snapshots the sender takes.
  case credit(UInt64)
  /// The place at which a person looks; the latest wins, and none is stored.
  case presence(Presence)
  /// The sender's clock; to be answered at once.
  case ping(UInt64)
  /// The time of the ping, and the sender's own.
  case pong(UInt64, UInt64)
  /// The sender ends; come back after some milliseconds.
  case goaway(retryAfterMilliseconds: UInt64)
  /// The sender closes in good order.
  case bye
  /// A numbered part of a snapshot, for a peer that has said that it reads packed ones.
  case packed(PaletteID, PackedPart)
  /// Changes of any authors in the order in which they can be merged, for a peer that has said that
  /// it reads packed ones.
  case packedChanges(PaletteID, PackedChanges)
  /// The sender holds nothing of these palettes, ascending, and asks for all of them; for a peer that
  /// has said that it reads whole ones.
  case lacking([PaletteID])
  /// Everything of some palettes that the sender holds, for a peer that has said that it reads those.
  case whole(WholePalettes)
  /// Several acknowledgements, for a peer that has said that it reads whole palettes.
  case acks([Held])
  /// Asks the acceptor to prove that it knows a secret, before that is shown.
  case challenge(Challenge)
  /// The answer to a challenge.
  case proof(Proof)
  /// The node ids of each library, as far as the sender knows them.
  case bindings([Binding])
  /// The sender gives back what it was granted for a palette, or with nil all of it.
  case giveBack(PaletteID?)
  /// Asks for the links of changes of one author, to find where two histories part.
  case linksOf(PaletteID, NodeID, [UInt32])
  /// The links of those of them that the sender holds; nil for one that it compacted away.
  case links(PaletteID, NodeID, [Link])

  /// A node id and the library that it belongs to.
  public struct Binding: Hashable, Sendable {
    /// The node id.
    public let node: NodeID
    /// Its library.
    public let library: RecordID

    /// Creates a binding.
    public init(node: NodeID, library: RecordID) {
      self.node = node
      self.library = library
    }
  }

  /// The frontiers of some authors of a palette.
  public struct Held: Hashable, Sendable {
    /// The palette.
    public let palette: PaletteID
    /// The frontiers.
    public let frontier: Frontier

    /// Creates an acknowledgement.
    public init(palette: PaletteID, frontier: Frontier) {
      self.palette = palette
      self.frontier = frontier
    }
  }

  /// The link of a change that is held.
  public struct Link: Hashable, Sendable {
    /// The number of the change.
    public let sequence: UInt32
    /// Its link; nil when it was compacted away.
    public let link: UInt64?

    /// Creates a link.
    public init(sequence: UInt32, link: UInt64?) {
      self.sequence = sequence
      self.link = link
    }
  }
  /// The sender lacks old changes of an author.
  case historyOf(PaletteID, NodeID, first: UInt32, last: UInt32)
  /// Old changes of an author, as many as fit.
  case history(OldHistory)

  /// A palette and its digest.
  public struct Entry: Hashable, Sendable {
    /// The palette.
    public let palette: PaletteID
    /// The digest of the palette.
    public let digest: Digest

    /// Creates an entry.
    public init(palette: PaletteID, digest: Digest) {
      self.palette = palette
      self.digest = digest
    }
  }
}
