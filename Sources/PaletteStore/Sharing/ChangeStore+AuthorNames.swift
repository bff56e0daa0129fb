public import PaletteModel

/// What authors are called, as far as this library knows; names are claims.
extension ChangeStore {
  /// What the member or the peer is called whose library has a node id; nil for whoever is not known.
  public func memberName(of node: NodeID) throws(StoreError) -> String? {
    let select = try box(.nameOfLibrary)
    try select.statement.bind(Int64(bitPattern: node.rawValue), at: 1)
    return try select.statement.row { $0.text(0) }
  }

  /// The name of a member that edits through this library; nil where it has none.
  public func name(of author: AuthorID) throws(StoreError) -> String? {
    if author == .library { return nil }
    let select = try box(.nameOfMember)
    try select.statement.bind(author.rawValue, at: 1)
    let name = try select.statement.row { $0.text(0) }
    return name?.isEmpty == true ? nil : name
  }
}
