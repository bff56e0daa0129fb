internal import PaletteModel
internal import PaletteStore

/// What the authors of changes are called, each looked up once.
struct AuthorNames {
  private let library: any LibraryAccess
  private let store: ChangeStore
  private var known: [NodeID: String?] = [:]

  /// Knows nobody yet.
  init(_ library: any LibraryAccess, _ store: ChangeStore) {
    self.library = library
    self.store = store
  }

  /// The name of whoever makes changes under a node id; nil where it is not known.
  mutating func name(of node: NodeID) throws -> String? {
    if let name = known[node] { return name }
    let name = try library.authorName(of: node, in: store)
    known[node] = .some(name)
    return name
  }
}

extension LibraryAccess {
  /// The name of whoever makes changes under a node id; nil where it is not known.
  func authorName(of node: NodeID, in store: ChangeStore) throws -> String? {
    store.author(of: node) == .library ? ownName : try store.memberName(of: node)
  }
}
