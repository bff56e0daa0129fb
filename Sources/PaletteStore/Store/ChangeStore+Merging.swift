public import PaletteMerge
public import PaletteModel

/// Changes, snapshots and old history that come from elsewhere.
extension ChangeStore {
  /// Merges changes of a palette that came from elsewhere, in one durable step.
  ///
  /// - Returns: What became of each.
  @discardableResult
  public func merge(
    _ changes: [[UInt8]],
    into id: PaletteID
  ) throws(StoreError) -> [Arrival] {
    try write { transaction throws(StoreError) in
      try transaction.palette(beginning: id)
        .merge([
          ArrivedChanges(palette: id, changes: changes.map { ArrivedChange(bytes: $0, in: id) })
        ])
    }
  }

  /// Merges a snapshot of a palette in one durable step.
  ///
  /// - Returns: What became of it; of one that was refused nothing was kept.
  public func merge(_ snapshot: Snapshot, into id: PaletteID) throws(StoreError) -> SnapshotOutcome
  {
    try mergeSnapshot(into: id) { palette throws(StoreError) in
      try SnapshotMerge(into: palette).merge(snapshot)
    }
  }

  /// Merges a snapshot that came packed in one durable step.
  ///
  /// - Returns: What became of it; of one that was refused nothing was kept.
  package func merge(_ staged: StagedSnapshot, into id: PaletteID) throws(StoreError)
    -> SnapshotOutcome
  {
    try mergeSnapshot(into: id) { palette throws(StoreError) in
      try SnapshotMerge(into: palette).merge(staged)
    }
  }

  private func mergeSnapshot(
    into id: PaletteID,
    _ merge: (PaletteWriter) throws(StoreError) -> SnapshotOutcome
  ) throws(StoreError) -> SnapshotOutcome {
    var outcome = SnapshotOutcome()
    do throws(StoreError) {
      try write { transaction throws(StoreError) in
        outcome = try merge(transaction.palette(beginning: id))
        guard outcome.refusal == nil else {
          throw StoreError(code: .failed, message: "the snapshot was refused")
        }
      }
    } catch {
      guard outcome.refusal != nil else { throw error }
    }
    return outcome
  }

  /// Takes rows into the log that were missing, without changing any state.
  ///
  /// - Parameters:
  ///   - parts: The rows of each author, by ascending numbers, all from one library.
  ///   - id: The palette.
  /// - Returns: Why they are not taken, and then nothing of them is; nil when they were.
  /// - Throws: `StoreError` when the store failed.
  package func mergeOldHistory(
    _ parts: [NodeID: HistoryPart],
    into id: PaletteID
  ) throws(StoreError) -> Refusal? {
    var refusal: Refusal?
    do throws(StoreError) {
      try write { transaction throws(StoreError) in
        guard let palette = try transaction.palette(id) else { return }
        refusal = try HistoryMerge(in: palette).merge(parts)
        if refusal != nil { throw StoreError(code: .failed, message: "the history was refused") }
      }
    } catch {
      guard refusal != nil else { throw error }
    }
    return refusal
  }
}
