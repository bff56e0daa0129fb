internal import PaletteModel
internal import PaletteStore

/// The authors of one palette whose name another library used there first.
///
/// Names are claims: this tells apart who is called the same, as far as it is known here whose a node id
/// is.
struct Namesakes {
  /// Whose a node id is.
  private enum Owner: Hashable {
    /// The library's own, or that of a member who edits through it.
    case here(AuthorID)
    /// Of another library.
    case library(RecordID)
  }

  private let store: ChangeStore
  /// Who used a name first; nil where that is not known.
  private var first: [String: Owner?] = [:]
  /// Whose the ids are that were asked about.
  private var owners: [NodeID: Owner?] = [:]

  init(_ store: ChangeStore, in palette: PaletteID) throws {
    self.store = store
    for claim in try store.authors.claims(in: palette) where first[Self.key(claim.name)] == nil {
      first[Self.key(claim.name)] = .some(try owner(of: claim.node))
    }
  }

  /// Whether a name of an author was used first by a library that is known to be another one.
  mutating func contains(_ node: NodeID, called name: String?) throws -> Bool {
    guard let name, let first = first[Self.key(name)] else { return false }
    switch (first, try owner(of: node)) {
    case (nil, nil): return false
    // Of every id that was made here it is known whose it is.
    case (.here?, nil), (nil, .here?): return true
    case (.library?, nil), (nil, .library?): return false
    case (let first?, let owner?): return first != owner
    }
  }

  private mutating func owner(of node: NodeID) throws -> Owner? {
    if let owner = owners[node] { return owner }
    let library = try store.bindings.library(of: node).map { Owner.library($0) }
    let owner = store.author(of: node).map { .here($0) } ?? library
    owners[node] = .some(owner)
    return owner
  }

  private static func key(_ name: String) -> String { name.lowercased() }
}
