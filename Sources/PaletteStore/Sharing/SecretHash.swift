import PaletteModel

/// What is stored of a secret: 256 random bits need no salt and no slow hash.
package struct SecretHash: Hashable, Sendable {
  /// BLAKE2b-256 of the secret.
  package let bytes: [UInt8]

  /// Hashes a secret.
  package init(of secret: [UInt8]) {
    var hash = BLAKE2b(resultLength: 32)
    hash.update(Array("hued token".utf8))
    hash.update(secret)
    bytes = hash.finalize()
  }
}
