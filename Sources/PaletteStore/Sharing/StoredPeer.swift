public import PaletteModel

/// A peer that this library joined.
public struct StoredPeer: Hashable, Sendable {
  /// How the peer is called in commands and lists: the address it was reached at last.
  public var url: String
  /// All its addresses, to be tried in turn.
  public var addresses: [String]
  /// The hash of its TLS key; empty when a certificate authority vouches for it, or without TLS.
  public var pin: [UInt8]
  /// The secret by which it knows this library.
  public var secret: [UInt8]
  /// The word of the role that this library has there.
  public var role: String
  /// The one palette that is shared; nil for the whole library.
  public var palette: PaletteID?
  /// Its node id when it was met last.
  public var node: NodeID?
  /// Why it refused this library; nil when it did not.
  public var refusal: String?
  /// When it last said what it holds, in milliseconds since 1970.
  public var lastAckMilliseconds: Int64?

  /// Describes a peer.
  public init(
    url: String,
    addresses: [String],
    pin: [UInt8],
    secret: [UInt8],
    role: String,
    palette: PaletteID?,
    node: NodeID? = nil
  ) {
    self.url = url
    self.addresses = addresses
    self.pin = pin
    self.secret = secret
    self.role = role
    self.palette = palette
    self.node = node
  }
}
