public import PaletteModel

/// The effects that a peer may have here, and this library there.
///
/// It is made from the grants that count, and every decision asks it: no other code compares roles.
/// A peer is believed as far as its grants reach, and about itself only.
///
/// | may cause here | joined hub, relay, owner | editor | viewer | nobody |
/// |---|---|---|---|---|
/// | `letsIn(changesBy:in:)` | anyone's in scope | its own ids' in scope | none | none |
/// | `letsInState(of:)` | in scope | no | no | no |
/// | `letsReissue(in:)` | with evidence | no | no | no |
/// | `votesOnClock` | yes | no | no | no |
/// | `letsIn(presenceOf:)` | anyone's | its own | its own | none |
/// | `isTold(presenceOfOwn:isTaken:)` | ours, as relay all | of taken ids | of taken ids | none |
/// | `exchangesBindings` | for the whole library | no | no | no |
/// | `letsIn(bindingTo:from:)` | the same | its own | no | no |
public struct Trust: Hashable, Sendable {
  /// Grants as they count for whoever may write no more for now, because it has written its share or
  /// there is no room at all.
  ///
  /// Machines of the same people carry what everybody writes: they have no share.
  public static func limiting(
    _ grants: [Grant],
    hasWrittenShare: Bool,
    isFull: Bool
  ) -> [Grant] {
    grants.map { grant in
      guard isFull && grant.role > .viewer || hasWrittenShare && grant.role == .editor else {
        return grant
      }
      return Grant(
        .viewer,
        on: grant.palette,
        expiresMilliseconds: grant.expiresMilliseconds
      )
    }
  }

  private enum Standing: Hashable {
    /// A hub that this library joined.
    case hub
    /// A member that connected, with the node ids that are bound to it.
    case member(Set<NodeID>)
  }

  /// The palettes that both sides may speak of.
  public let scope: Scope
  private let standing: Standing
  /// The role for the whole library; nil if the grants are about single palettes.
  public let libraryRole: Role?
  private let paletteRoles: [PaletteID: Role]

  /// The rights of a stranger.
  public static let none = Trust(.member([]), [])

  /// The trust in a hub that this library joined with these grants.
  public static func hub(_ grants: [Grant]) -> Trust { Trust(.hub, grants) }

  /// The trust in a member with these grants, which may speak as these nodes.
  public static func member(_ grants: [Grant], nodes: Set<NodeID> = []) -> Trust {
    Trust(.member(nodes), grants)
  }

  private init(_ other: Trust, _ standing: Standing) {
    self.standing = standing
    (scope, libraryRole) = (other.scope, other.libraryRole)
    paletteRoles = other.paletteRoles
  }

  private init(_ standing: Standing, _ grants: [Grant]) {
    self.standing = standing
    libraryRole = grants.filter { $0.palette == nil }.map(\.role).max()
    var roles: [PaletteID: Role] = [:]
    for grant in grants {
      guard let palette = grant.palette else { continue }
      roles[palette] = max(roles[palette] ?? grant.role, grant.role)
    }
    paletteRoles = roles
    scope = libraryRole == nil ? .palettes(Set(roles.keys)) : .library
  }

  /// The role on a palette; nil if it is out of scope.
  public func role(on palette: PaletteID) -> Role? {
    guard let own = paletteRoles[palette] else { return libraryRole }
    return max(own, libraryRole ?? own)
  }

  /// The greatest of all roles; nil for nobody.
  public var greatestRole: Role? {
    paletteRoles.values.reduce(libraryRole) { greatest, role in
      greatest.map { max($0, role) } ?? role
    }
  }

  private var isHub: Bool { standing == .hub }

  /// Returns whether a node id is one of the member's own.
  public func isBound(_ node: NodeID) -> Bool {
    guard case .member(let nodes) = standing else { return false }
    return nodes.contains(node)
  }

  private func relays(_ palette: PaletteID) -> Bool {
    role(on: palette).map { $0 >= .relay } ?? false
  }

  /// Returns whether a change of this author may come from the peer.
  public func letsIn(changesBy author: NodeID, in palette: PaletteID) -> Bool {
    guard let role = role(on: palette) else { return false }
    return isHub || role >= .relay || role >= .editor && isBound(author)
  }

  /// Returns whether any change of a palette may come from the peer.
  public func letsInChanges(in palette: PaletteID) -> Bool {
    role(on: palette).map { isHub || $0 >= .editor } ?? false
  }

  /// Returns whether snapshots and old history may come from the peer.
  public func letsInState(of palette: PaletteID) -> Bool {
    isHub ? scope.covers(palette) : relays(palette)
  }

  /// Returns whether the peer may have own changes issued again, by showing others with the same
  /// dots.
  public func letsReissue(in palette: PaletteID) -> Bool { letsInState(of: palette) }

  /// True if the peer's clock counts.
  public var votesOnClock: Bool { isHub || greatestRole.map { $0 >= .relay } ?? false }

  /// Returns whether the peer may tell where somebody is.
  public func letsIn(presenceOf node: NodeID) -> Bool {
    isHub || isBound(node) || greatestRole.map { $0 >= .relay } ?? false
  }

  /// Returns whether the peer is told where somebody is.
  ///
  /// A member could claim an id that it hears of before anybody knows whose it is, and write in its
  /// name; a hub believes us about ourselves alone.
  ///
  /// - Parameters:
  ///   - isOwn: Whether the node id is this library's.
  ///   - isTaken: Whether nobody can claim the id here any more.
  /// - Returns: Whether it is told.
  public func isTold(presenceOfOwn isOwn: Bool, isTaken: Bool) -> Bool {
    if exchangesBindings { return true }
    if isHub, greatestRole.map({ $0 < .relay }) ?? true { return isOwn }
    return isOwn || isTaken
  }

  /// True if both sides tell each other which node ids belong to which library.
  public var exchangesBindings: Bool { libraryRole.map { $0 >= .relay } ?? false }

  /// True if the peer is a machine of the same people: what it carries is not its own alone.
  public var isOfSamePeople: Bool { exchangesBindings }

  /// Returns whether the peer may tell that a node id belongs to a library, it being another or the
  /// same.
  public func letsIn(bindingTo library: RecordID, from peer: RecordID) -> Bool {
    exchangesBindings || !isHub && edits(nil) && library == peer
  }

  /// True if the peer is to be told under which ids this library writes.
  public var isToldOwnBindings: Bool { exchangesBindings || isHub && edits(nil) }

  /// The same trust in a member to which more node ids are bound.
  public func speaking(as new: [NodeID]) -> Trust {
    guard case .member(let nodes) = standing else { return self }
    return Trust(self, .member(nodes.union(new)))
  }

  /// Returns whether a change may be pushed to the peer; `isOwn` when this library made it.
  public func letsOut(_ palette: PaletteID, isOwn: Bool) -> Bool {
    guard let role = role(on: palette) else { return false }
    return !isHub || role >= .relay || role >= .editor && isOwn
  }

  /// Returns whether any change of a palette may be pushed to the peer.
  public func letsOutChanges(of palette: PaletteID) -> Bool {
    role(on: palette).map { !isHub || $0 >= .editor } ?? false
  }

  /// Returns whether snapshots may be pushed to the peer.
  public func letsOutState(of palette: PaletteID) -> Bool {
    isHub ? relays(palette) : scope.covers(palette)
  }

  /// Returns whether the member may read a palette; every palette when it is nil.
  public func reads(_ palette: PaletteID?) -> Bool {
    palette.map(scope.covers) ?? (scope == .library)
  }

  /// True if the member may edit every palette, and make new ones.
  public var editsAll: Bool { libraryRole.map { $0 >= .editor } ?? false }

  /// Returns whether the member may edit a palette; some palette when it is nil.
  public func edits(_ palette: PaletteID?) -> Bool {
    guard let palette else { return editsAll || paletteRoles.values.contains { $0 >= .editor } }
    return role(on: palette).map { $0 >= .editor } ?? false
  }

  /// True if the member may share and revoke.
  public var shares: Bool { libraryRole == .owner }
}
