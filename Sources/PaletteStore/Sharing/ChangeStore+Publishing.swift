/// Palettes that everybody may read.
extension ChangeStore {
  /// The grants by which palettes are published now.
  public func publicGrants() throws(StoreError) -> [StoredGrant] {
    try grants().filter { grant, member in
      member?.kind == .public && grant.counts(atMilliseconds: nowMilliseconds)
    }.map(\.grant)
  }
}
