package import PaletteModel

/// The content of a join code: a hub's address, its key, and the grant that it will give.
package struct JoinTicket: Equatable {
  /// URLs at which the hub may be reached, to be tried in turn.
  package var addresses: [String]
  /// The hash of the hub's TLS key; empty where a certificate authority vouches for it.
  package var pin: [UInt8]
  /// The secret of the code.
  package var code: [UInt8]
  /// The grant that joining gives.
  package var grant: Grant
  /// The hub's library.
  package var library: RecordID?

  package init(
    addresses: [String],
    pin: [UInt8] = [],
    code: [UInt8],
    grant: Grant,
    library: RecordID? = nil
  ) {
    self.addresses = addresses
    self.pin = pin
    self.code = code
    self.grant = grant
    self.library = library
  }
}

/// The stored form of a secret: 256 random bits need no salt and no slow hash.
public struct SecretHash: Hashable, Sendable {
  /// BLAKE2b-256 of the secret.
  public let bytes: [UInt8]

  /// Hashes a secret.
  public init(of secret: [UInt8]) {
    var hash = BLAKE2b(resultLength: 32)
    hash.update(Array("hued token".utf8))
    hash.update(secret)
    bytes = hash.finalize()
  }

  /// A hash that was stored.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}
