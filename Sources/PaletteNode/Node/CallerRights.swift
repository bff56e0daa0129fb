internal import PaletteModel
internal import PaletteSync

/// What somebody who is connected may do.
struct CallerRights: Equatable, Sendable {
  /// The role.
  let role: Role
  /// The one palette that it covers; nil for the whole library.
  let palette: PaletteID?
  /// Whether it came through the Unix socket, which only the owner of the home can open.
  let isLocal: Bool

  init(_ role: Role, palette: PaletteID? = nil, isLocal: Bool = false) {
    self.role = role
    self.palette = palette
    self.isLocal = isLocal
  }

  /// The right of whoever can open the socket in the home.
  static let local = CallerRights(.owner, isLocal: true)

  /// Whether a method is open to the role, whatever it is about.
  func allows(_ access: RPCMethod.Access) -> Bool {
    switch access {
    case .viewer: true
    case .editor: role.pushesOwn
    case .owner: role == .owner
    case .local: isLocal
    }
  }
}

/// Knows what tokens are worth.
protocol TokenAuthority {
  /// What the bearer of a token may do now; nil for a token that is unknown, expired or revoked.
  func rights(ofToken token: String) -> CallerRights?
}
