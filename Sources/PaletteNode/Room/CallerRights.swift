internal import PaletteCommands
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync

/// The rights of a connected client.
struct CallerRights: Equatable, Sendable {
  /// The rights that the grants amount to.
  let trust: Trust
  /// The member that calls; nil for whoever can open the socket in the home.
  let member: Member?
  /// True if it came through the Unix socket, which only the owner of the home can open.
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

  /// Those of a member that may do nothing any more.
  static func ended(_ member: Member?) -> CallerRights { CallerRights(member) }

  private init(_ member: Member?) {
    trust = .none
    self.member = member
    isLocal = false
  }

  /// True if the caller may do nothing any more.
  var haveEnded: Bool { trust == .none }

  /// The right of whoever can open the socket in the home.
  static let local = CallerRights(.owner, isLocal: true)

  /// Returns whether a method is open to the role, whatever it is about.
  func allows(_ access: Access) -> Bool {
    switch access {
    case .viewer: !haveEnded
    case .editor: trust.edits(nil)
    case .owner: trust.shares
    case .local: isLocal
    }
  }
}

/// Whoever calls: a reference to its grants, which are asked each time what they allow now.
struct Caller {
  /// The token that it shows; nil on the Unix socket.
  let token: String?
  /// The member; nil for the library itself.
  let member: Member?
  /// The party that pays for its calls.
  let payer: Payer
  private unowned let clients: Clients

  /// Describes who shows a token.
  init(_ token: String?, _ member: Member?, paying payer: Payer, _ clients: Clients) {
    self.token = token
    self.member = member
    self.payer = payer
    self.clients = clients
  }

  /// Its rights now.
  var rights: CallerRights { clients.rights(of: token) ?? .ended(member) }
}
