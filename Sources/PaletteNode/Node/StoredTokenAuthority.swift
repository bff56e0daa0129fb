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

  init(store: ChangeStore) {
    self.store = store
  }

  func rights(ofToken token: String) -> CallerRights? {
    if tokenChanges != store.tokenChanges || known.count >= Self.limit { known = [:] }
    tokenChanges = store.tokenChanges
    if let worth = known[token] {
      return worth.endMilliseconds >= store.nowMilliseconds ? worth.rights : nil
    }
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.token(secret: secret),
      case .success(let stored) = found, let rights = CallerRights(stored)
    else { return nil }
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
