internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The scripts and pages that the library lets in.
final class StoredTokenAuthority: TokenAuthority {
  /// The most tokens that are remembered.
  private static let limit = 1_000
  /// After this time a token is looked up again, which notes that its member was there.
  private static let knownMilliseconds: Int64 = 60_000

  /// What a token gives, and until when; nothing that is counted, since every call asks.
  private struct Worth {
    let rights: CallerRights
    let endMilliseconds: Int64
    let readMilliseconds: Int64
  }

  private let store: ChangeStore
  /// Tokens that were found good, until any right changes.
  private var known: [String: Worth] = [:]
  private var memberChanges = 0

  init(store: ChangeStore) {
    self.store = store
  }

  func rights(ofToken token: String) -> CallerRights? {
    if memberChanges != store.memberChanges || known.count >= Self.limit { known = [:] }
    memberChanges = store.memberChanges
    let now = store.nowMilliseconds
    if let worth = known[token], now < worth.endMilliseconds,
      (0..<Self.knownMilliseconds).contains(now - worth.readMilliseconds)
    {
      return worth.rights
    }
    known[token] = nil
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.caller(secret: secret),
      case .success(let (member, grants)) = found
    else { return nil }
    let end = grants.compactMap(\.expiresMilliseconds).min() ?? .max
    let rights = CallerRights(member, grants)
    known[token] = Worth(rights: rights, endMilliseconds: end, readMilliseconds: now)
    // Where that cannot be written, the member counts as gone for longer.
    try? store.noteSeen(member)
    return rights
  }
}
