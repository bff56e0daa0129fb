package import PaletteModel
package import PaletteStore

/// The names of the authors of a palette's changes, each looked up once.
struct CachedAuthorNames {
  private let library: any LibraryAccess
  private let store: ChangeStore
  private let palette: PaletteID
  private var known: [NodeID: String?] = [:]
  private var members: [NodeID: String?] = [:]

  /// Knows nobody yet.
  init(_ library: any LibraryAccess, _ store: ChangeStore, in palette: PaletteID) {
    self.library = library
    self.store = store
    self.palette = palette
  }

  /// The name of whoever makes changes under a node id; nil where it is not known.
  mutating func name(of node: NodeID) throws -> String? {
    if let name = known[node] { return name }
    let name = try library.authorName(of: node, in: palette, store)
    known[node] = .some(name)
    return name
  }

  /// The uid of the member that edits under a node id through this library; nil for all other ids.
  mutating func member(of node: NodeID) throws -> String? {
    if let member = members[node] { return member }
    let member = try store.author(of: node)?.member.flatMap { try store.members.member($0)?.uid }
    members[node] = .some(member)
    return member
  }
}

extension LibraryAccess {
  /// The name of whoever makes changes under a node id; nil where it is not known.
  ///
  /// Who edits through this library is known here. Of others counts what they say in the palette, and
  /// else what the member is called whose the node id is.
  package func authorName(
    of node: NodeID,
    in palette: PaletteID?,
    _ store: ChangeStore
  ) throws -> String? {
    switch store.author(of: node) {
    case .library: return ownName
    case let author?: return try store.authors.name(of: author)
    case nil:
      if let palette, let name = try store.authors.claimedName(of: node, in: palette) {
        return name
      }
      return try store.authors.memberName(of: node)
    }
  }
}
