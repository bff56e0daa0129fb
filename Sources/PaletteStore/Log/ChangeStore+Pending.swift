public import PaletteModel

extension ChangeStore {
  /// What is pending, counted in one pass over the changes of this library's own.
  ///
  /// - Parameter palette: The palette that alone counts; nil for all.
  /// - Returns: What is pending.
  /// - Throws: `StoreError` when the store failed.
  public func pendingChanges(
    of palette: PaletteID? = nil
  ) throws(StoreError) -> PendingChanges {
    try PendingChanges(of: palette, database, peers, authors)
  }

  /// How many of this library's own changes of a palette no peer that takes them has stated to hold.
  public func pending(of id: PaletteID, at urls: [String]) throws(StoreError) -> Int {
    try pendingChanges(of: id).count(of: id, at: urls)
  }
}
