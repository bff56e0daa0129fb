import COpenSSL

/// The SHA-256 hash of a public key, by which a client recognises a server without any authority.
///
/// The key is hashed as in the certificate (DER SubjectPublicKeyInfo), so a certificate that is
/// renewed for the same key keeps its pin.
package struct KeyPin: Hashable, Sendable {
  /// The hash, or its first 16 bytes and more.
  package let bytes: [UInt8]

  /// The fewest bytes by which a key is known: nobody finds another key for 128 bits.
  package static let leastBytes = 16

  /// Creates a pin from the whole hash, 32 bytes, or from its beginning.
  package init?(bytes: [UInt8]) {
    guard Self.leastBytes...Int(SHA256_DIGEST_LENGTH) ~= bytes.count else { return nil }
    self.bytes = bytes
  }

  /// Whether this is the hash, or the beginning of the hash, that another pin is.
  func begins(_ other: KeyPin?) -> Bool { other?.bytes.starts(with: bytes) ?? false }

  /// Hashes the key of a certificate.
  init?(certificate: OpaquePointer) {
    guard let key = X509_get_X509_PUBKEY(certificate) else { return nil }
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(key, &encoded)
    guard count > 0, let encoded else { return nil }
    defer { CRYPTO_free(encoded, nil, 0) }
    var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    guard EVP_Digest(encoded, Int(count), &hash, nil, EVP_sha256(), nil) == 1 else { return nil }
    bytes = hash
  }
}

extension KeyPin: LosslessStringConvertible {
  /// Creates a pin from 64 hexadecimal digits.
  package init?(_ description: String) {
    let digits = Array(description.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The pin as 64 lower-case hexadecimal digits.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The rule by which a client decides that a server is the right one.
package enum ServerTrust: Hashable, Sendable {
  /// No encryption at all.
  case plain
  /// The authorities of the operating system, and the server's name.
  case system
  /// The authorities in a PEM file, no others, and the server's name.
  case authority(file: String)
  /// The server's key alone: authority, name and dates do not matter.
  case pin(KeyPin)

  /// True if the connection is encrypted.
  var isEncrypted: Bool { self != .plain }
}
