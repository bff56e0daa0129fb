internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The one-time link of the web page, and the sessions that began with one.
///
/// Everything is in memory: a new start of the node prints a new link. Only hashes are kept, so that
/// looking a secret up takes the same time whatever it begins with.
final class PageSessions: TokenAuthority {
  /// The most sessions at once; beyond it the oldest ends.
  private static let limit = 1_000

  private var codes: Set<[UInt8]> = []
  private var sessions: [[UInt8]] = []
  private var random: any RandomNumberGenerator

  init(random: some RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.random = random
  }

  /// Makes the code of a link that begins one session.
  func makeCode() -> String {
    let code = makeSecret()
    codes.insert(Self.hash(code))
    return code
  }

  /// Uses up a code.
  ///
  /// - Returns: The secret of the session that begins; nil when there is no such code, or no more.
  func redeem(_ code: String) -> String? {
    guard codes.remove(Self.hash(code)) != nil else { return nil }
    let secret = makeSecret()
    if sessions.count == Self.limit { sessions.removeFirst() }
    sessions.append(Self.hash(secret))
    return secret
  }

  /// What a session may do: everything, as the link was printed to the owner.
  func rights(ofToken token: String) -> CallerRights? {
    // Most nodes have no page open, and every call asks.
    guard !sessions.isEmpty else { return nil }
    return sessions.contains(Self.hash(token)) ? CallerRights(.owner) : nil
  }

  private func makeSecret() -> String {
    (0..<4).reduce(into: "") { text, _ in
      text += UInt64.random(in: .min ... .max, using: &random).hexDigits
    }
  }

  private static func hash(_ secret: String) -> [UInt8] {
    SecretHash(of: Array(secret.utf8)).bytes
  }
}
