package import PaletteMerge
package import PaletteModel

/// A peer that this library joined.
package struct StoredPeer: Hashable, Sendable {
  /// The name of the peer in commands and lists: the address at which it was reached last.
  package var url: String
  /// All its addresses, the one first at which it was reached last.
  package var addresses: [String]
  /// The hash of its TLS key; empty when a certificate authority vouches for it, or without TLS.
  package var pin: [UInt8]
  /// The secret by which it knows this library, or will when the code is redeemed.
  package var secret: [UInt8]
  /// The secret of a join code that is not redeemed yet; else empty.
  package var code: [UInt8]
  /// The grants agreed when this library joined: the peer may let it do less, never more.
  package var grants: [Grant]
  /// Palettes that were given back since, of which the peer may not have heard.
  package var givenBack: Set<PaletteID> = []
  /// Its library, where that is known.
  package var library: RecordID?
  /// The name that it wants to have.
  package var name: String
  /// Its node id when it was met last.
  package var node: NodeID?
  /// The reason why it refused this library; nil when it did not.
  package var refusal: String?
  /// The time of its last report, in milliseconds since 1970.
  package var lastAckMilliseconds: Int64?
  /// The number of its changes that were still to come when the connection ended; nil for none, as far as
  /// is known.
  package var changesToCome: Int?

  /// Describes a peer.
  package init(
    url: String,
    addresses: [String],
    pin: [UInt8] = [],
    secret: [UInt8] = [],
    code: [UInt8] = [],
    grants: [Grant],
    library: RecordID? = nil,
    name: String = "",
    node: NodeID? = nil
  ) {
    self.url = url
    self.addresses = addresses
    self.pin = pin
    self.secret = secret
    self.code = code
    self.grants = grants
    self.library = library
    self.name = name
    self.node = node
  }

  /// The membership that is left when a palette is given back; nil if there is none.
  package func without(_ palette: PaletteID) -> StoredPeer? {
    var rest = self
    rest.grants.removeAll { $0.palette == palette }
    rest.givenBack.insert(palette)
    return rest.grants.isEmpty ? nil : rest
  }
}

/// The report of a peer on what it durably holds of a palette.
package struct HeldReport: Hashable, Sendable {
  /// The peer.
  package let url: String
  /// The palette.
  package let palette: PaletteID
  /// The frontier of this library's own changes there.
  package private(set) var held: Frontier
  /// True if authors that are not mentioned are not held at all.
  package private(set) var isWhole: Bool

  /// Creates a statement.
  package init(url: String, palette: PaletteID, held: Frontier, isWhole: Bool) {
    self.url = url
    self.palette = palette
    self.held = held
    self.isWhole = isWhole
  }

  /// Takes in what the peer said later; the newest counts, never the highest.
  package mutating func update(with newer: HeldReport) {
    if newer.isWhole {
      self = newer
    } else {
      held.merge(newer.held) { _, new in new }
    }
  }
}
