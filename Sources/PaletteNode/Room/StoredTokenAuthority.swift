internal import PaletteCommands
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The scripts and pages that the library lets in.
final class StoredTokenAuthority {
  /// So many tokens are known at once; each takes a third of a kilobyte.
  private static let knownLimit = 4_096
  /// After this time a token is looked up again, which notes that its member was there.
  private static let knownMilliseconds: Int64 = 60_000

  /// The rights of a token and their end, cached because every call asks.
  private struct Worth {
    let rights: CallerRights
    let endMilliseconds: Int64
    let readMilliseconds: Int64
    let member: Int64
    /// The version of the member's rights.
    let version: Int
  }

  private let store: ChangeStore
  /// Tokens that were found good; each is looked up again when its member's rights change.
  private var known: [String: Worth] = [:]
  /// The earliest end of the rights that were asked for since the last `beginAsking`.
  private var firstEndMilliseconds = Int64.max
  private var askedChanges = 0

  init(store: ChangeStore) {
    self.store = store
  }

  /// True if an answer given since the last `beginAsking` may be another one now.
  var hasNews: Bool {
    askedChanges != store.members.changeCount || store.nowMilliseconds >= firstEndMilliseconds
  }

  /// Forgets when rights end, as all that matter are asked for again.
  func beginAsking() {
    askedChanges = store.members.changeCount
    firstEndMilliseconds = .max
  }

  /// The rights of a token's bearer now; nil for a token that is unknown, expired or revoked.
  func rights(ofToken token: String) -> CallerRights? {
    let now = store.nowMilliseconds
    if let worth = known[token], worth.version == store.members.version(of: worth.member),
      now < worth.endMilliseconds,
      (0..<Self.knownMilliseconds).contains(now - worth.readMilliseconds)
    {
      firstEndMilliseconds = min(firstEndMilliseconds, worth.endMilliseconds)
      return worth.rights
    }
    known[token] = nil
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.members.caller(secret: secret),
      case .success(let (member, grants)) = found
    else { return nil }
    let end = grants.compactMap(\.expiresMilliseconds).min() ?? .max
    firstEndMilliseconds = min(firstEndMilliseconds, end)
    let rights = CallerRights(member, grants)
    let worth = Worth(
      rights: rights,
      endMilliseconds: end,
      readMilliseconds: now,
      member: member.id,
      version: store.members.version(of: member.id)
    )
    if known.count >= Self.knownLimit { known = [:] }
    known[token] = worth
    // Where that cannot be written, the member counts as gone for longer.
    try? store.members.recordSeen(member)
    return rights
  }
}
