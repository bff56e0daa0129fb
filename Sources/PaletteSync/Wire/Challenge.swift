public import PaletteMerge

/// The question whether the acceptor knows a secret, which is not shown with it.
///
/// Without TLS nothing else says who listens: any user of a machine may take a port of its loopback.
public struct Challenge: Hashable, Sendable {
  /// The secret that is meant: the first bytes of its hash.
  public let secretID: [UInt8]
  /// Random bytes of the dialer.
  public let nonce: [UInt8]

  static let idBytes = 8
  static let nonceBytes = 32
  static let codeBytes = 32

  /// Creates a challenge.
  public init(secretID: [UInt8], nonce: [UInt8]) {
    self.secretID = secretID
    self.nonce = nonce
  }

  /// Asks about a secret.
  public init(about secret: [UInt8], nonce: [UInt8]) {
    self.init(secretID: Array(SecretHash(of: secret).bytes.prefix(Self.idBytes)), nonce: nonce)
  }
}

/// The answer to a challenge: a code that only those can make who know the secret's hash.
public struct Proof: Hashable, Sendable {
  /// Random bytes of the acceptor.
  public let nonce: [UInt8]
  /// BLAKE2b-256 of both nonces and the acceptor's address, keyed with the hash of the secret.
  public let code: [UInt8]

  /// Creates a proof as it travels.
  public init(nonce: [UInt8], code: [UInt8]) {
    self.nonce = nonce
    self.code = code
  }

  /// Proves that the hash of a secret is known to whoever accepted at an address.
  ///
  /// - Parameters:
  ///   - hash: The hash of the secret.
  ///   - challenge: The question.
  ///   - nonce: Random bytes of the acceptor.
  ///   - address: The acceptor's own address and port, `127.0.0.1:4833` or `[::1]:4833`.
  public init(of hash: SecretHash, to challenge: Challenge, nonce: [UInt8], at address: String) {
    self.nonce = nonce
    code = Self.code(hash, challenge, nonce, address)
  }

  /// Returns whether this was made at an address by whoever knows the secret.
  ///
  /// A process that has taken the port of an acceptor may ask the acceptor, where that runs now, for a
  /// proof: but such a proof says another address.
  public func answers(_ challenge: Challenge, about secret: [UInt8], at address: String) -> Bool {
    code == Self.code(SecretHash(of: secret), challenge, nonce, address)
  }

  private static func code(
    _ hash: SecretHash,
    _ challenge: Challenge,
    _ nonce: [UInt8],
    _ address: String
  ) -> [UInt8] {
    var code = BLAKE2b(resultLength: Challenge.codeBytes, key: hash.bytes)
    code.update(Array("hued proof".utf8))
    code.update(challenge.nonce)
    code.update(nonce)
    code.update(Array(address.utf8))
    return code.finalize()
  }
}
