internal import PaletteCommands
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// What somebody who is connected may do.
struct CallerRights: Equatable, Sendable {
  /// What the grants amount to.
  let trust: Trust
  /// The member that calls; nil for whoever can open the socket in the home.
  let member: Member?
  /// Whether it came through the Unix socket, which only the owner of the home can open.
  let isLocal: Bool

  init(_ role: Role, palette: PaletteID? = nil, isLocal: Bool = false) {
    trust = .member([Grant(role, on: palette)])
    member = nil
    self.isLocal = isLocal
  }

  init(_ member: Member, _ grants: [Grant]) {
    trust = .member(grants)
    self.member = member
    isLocal = false
  }

  /// The right of whoever can open the socket in the home.
  static let local = CallerRights(.owner, isLocal: true)

  /// Whether a method is open to the role, whatever it is about.
  func allows(_ access: Access) -> Bool {
    switch access {
    case .viewer: true
    case .editor: trust.edits(nil)
    case .owner: trust.shares
    case .local: isLocal
    }
  }
}

/// Knows what tokens are worth.
protocol TokenAuthority {
  /// What the bearer of a token may do now; nil for a token that is unknown, expired or revoked.
  func rights(ofToken token: String) -> CallerRights?
}
