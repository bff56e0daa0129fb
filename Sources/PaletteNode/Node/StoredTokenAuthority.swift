internal import PaletteStore
internal import PaletteSync

/// The tokens that the library granted.
struct StoredTokenAuthority: TokenAuthority {
  let store: ChangeStore

  func rights(ofToken token: String) -> CallerRights? {
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.token(secret: secret),
      case .success(let stored) = found, let role = Role(rawValue: stored.role)
    else { return nil }
    return CallerRights(role, palette: stored.palette)
  }
}
