internal import PaletteCommands
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
  /// When the first of the rights ends that were asked for since the last `beginAsking`.
  private var firstEndMilliseconds = Int64.max
  private var askedChanges = 0

  init(store: ChangeStore) {
    self.store = store
  }

  /// Whether an answer given since the last `beginAsking` may be another one now.
  var hasNews: Bool {
    askedChanges != store.memberChanges || store.nowMilliseconds >= firstEndMilliseconds
  }

  /// Forgets when rights end, as all that matter are asked for again.
  func beginAsking() {
    askedChanges = store.memberChanges
    firstEndMilliseconds = .max
  }

  func rights(ofToken token: String) -> CallerRights? {
    if memberChanges != store.memberChanges || known.count >= Self.limit { known = [:] }
    memberChanges = store.memberChanges
    let now = store.nowMilliseconds
    if let worth = known[token], now < worth.endMilliseconds,
      (0..<Self.knownMilliseconds).contains(now - worth.readMilliseconds)
    {
      firstEndMilliseconds = min(firstEndMilliseconds, worth.endMilliseconds)
      return worth.rights
    }
    known[token] = nil
    // A store that cannot be read lets nobody in.
    guard let secret = Secret.bytes(token), let found = try? store.caller(secret: secret),
      case .success(let (member, grants)) = found
    else { return nil }
    let end = grants.compactMap(\.expiresMilliseconds).min() ?? .max
    firstEndMilliseconds = min(firstEndMilliseconds, end)
    let rights = CallerRights(member, grants)
    known[token] = Worth(rights: rights, endMilliseconds: end, readMilliseconds: now)
    // Where that cannot be written, the member counts as gone for longer.
    try? store.noteSeen(member)
    return rights
  }
}
