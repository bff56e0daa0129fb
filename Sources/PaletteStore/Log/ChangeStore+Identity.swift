public import PaletteModel

extension ChangeStore {
  /// The present id of this node, under which the library itself makes changes.
  public var node: NodeID { identity.ids.node }

  /// All ids that this library has had, those of members who edit through it too.
  public var identities: [NodeID] { identity.ids.all }

  /// The id of the library, which its copies share and which stays when the node id changes.
  public var library: RecordID { identity.library }

  /// How often, while this is open, changes came back that were made here and forgotten.
  public var rollbackCount: Int { identity.rollbackCount }

  /// The id under which an author makes changes; nil where it has to take one.
  package func presentNode(of author: AuthorID) -> NodeID? { identity.ids.present(of: author) }

  /// Whether an author makes changes under an id now.
  package func isPresent(_ node: NodeID) -> Bool { identity.ids.isPresent(node) }

  /// Goes on under a new node id, for example because a peer gave the present one to another.
  public func adoptNewNode() throws(StoreError) {
    try write { _ throws(StoreError) in try identity.adoptNode() }
  }

  /// Whether a change was made in this library, by any author under any of its ids.
  public func isOwn(_ node: NodeID) -> Bool { identity.isOwn(node) }

  /// Whether a change was made in this library by this author, under any id that it has had.
  public func isOwn(_ node: NodeID, by author: AuthorID) -> Bool {
    identity.ids.author(of: node) == author
  }

  /// The author in this library that a node id stands for; nil when it is none of its ids.
  public func author(of node: NodeID) -> AuthorID? { identity.ids.author(of: node) }
}
