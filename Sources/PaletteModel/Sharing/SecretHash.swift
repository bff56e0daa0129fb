/// What is stored of a secret: 256 random bits need no salt and no slow hash.
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
