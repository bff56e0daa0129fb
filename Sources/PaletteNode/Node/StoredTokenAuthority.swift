internal import PaletteStore
internal import PaletteSync

/// The tokens that the library granted.
final class StoredTokenAuthority: TokenAuthority {
  /// The most tokens that are remembered.
  private static let limit = 1_000

  /// What a token gives, and until when; nothing that is counted, since every call asks.
  private struct Worth {
    let rights: CallerRights
    let endMilliseconds: Int64
  }

  private let store: ChangeStore
  /// Tokens that were found good, until any token changes.
  private var known: [String: Worth] = [:]
  private var tokenChanges = 0
  /// When the first of the rights ends that were asked for since the last `beginAsking`.
  private var firstEndMilliseconds = Int64.max
  private var askedChanges = 0

  init(store: ChangeStore) {
    self.store = store
  }

  /// Whether an answer given since the last `beginAsking` may be another one now.
  var hasNews: Bool {
    askedChanges != store.tokenChanges || store.nowMilliseconds > firstEndMilliseconds
  }

  /// Forgets when rights end, as all that matter are asked for again.
  func beginAsking() {
    askedChanges = store.tokenChanges
    firstEndMilliseconds = .max
  }

  func rights(ofToken token: String) -> CallerRights? {
    if tokenChanges != store.tokenChanges || known.count >= Self.limit { known = [:] }
    tokenChanges = store.tokenChanges
    if let worth = known[token] {
      firstEndMilliseconds = min(firstEndMilliseconds, worth.endMilliseconds)
      return worth.endMilliseconds >= store.nowMilliseconds ? worth.rights : nil
    }
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.token(secret: secret),
      case .success(let stored) = found, let rights = CallerRights(stored)
    else { return nil }
    firstEndMilliseconds = min(firstEndMilliseconds, stored.endMilliseconds)
    known[token] = Worth(rights: rights, endMilliseconds: stored.endMilliseconds)
    return rights
  }
}

extension CallerRights {
  fileprivate init?(_ token: StoredToken) {
    guard let role = Role(rawValue: token.role) else { return nil }
    self.init(role, palette: token.palette)
  }
}
