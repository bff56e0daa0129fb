public import PaletteModel

/// What authors are called, as far as this library knows; names are claims.
extension ChangeStore {
  /// The name of the member that edits under a node id: through this library, or in its own, or that
  /// of a peer.
  ///
  /// - Returns: The name; nil for this library itself, and for whoever is not known.
  public func memberName(of node: NodeID) throws(StoreError) -> String? {
    if let author = author(of: node) { return try name(of: author) }
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
