public import PaletteMerge
internal import PaletteModel

/// The outcome of a snapshot.
public struct SnapshotOutcome: Hashable, Sendable {
  /// The reason why it cannot be merged, and then nothing was kept of it; nil when it was merged.
  public let refused: SnapshotRefusal?
  /// The number of listed colors it removed, and the palette's own name: their values are gone, and
  /// no others came in their place.
  public let removed: Int

  /// The reason why it was refused, in a word.
  public var refusal: Refusal? { refused?.reason }

  init(refused: SnapshotRefusal? = nil, removed: Int = 0) {
    self.refused = refused
    self.removed = removed
  }
}

/// The records that a snapshot removes while it is merged.
///
/// Its sender says that their values were replaced, and has no others: honest libraries never do,
/// because a record that was whole stays whole. The merge believes it, or libraries would differ; but
/// what was shown is kept until the horizon of compaction, so that it can be restored.
struct SnapshotRemovals {
  /// The number of them that were listed.
  private(set) var listed = 0
  private var arrival: Int64?

  /// Compares a record before and after the merge.
  mutating func record(
    _ id: RecordID,
    _ old: RecordState,
    leaving new: RecordState,
    in palette: PaletteWriter
  ) throws(StoreError) {
    let isPalette = id == palette.row.id.record
    guard old.isWhole(isPalette), !new.isWhole(isPalette) else { return }
    let image = try RecordRowBuilder(old, isPalette: isPalette) { dot throws(StoreError) in
      try palette.facts(of: dot)
    }
    let wasListed = isPalette ? palette.streams.isVisible : image.listed == 1
    if wasListed { listed += 1 }
    // It stands among the arrivals, so that its age is known as that of a change is.
    let arrival: Int64
    if let known = self.arrival { arrival = known } else { arrival = try palette.nextArrival() }
    self.arrival = arrival
    try RemovalTable.insert(
      id,
      image,
      wasListed: wasListed,
      arrival: arrival,
      of: palette.row,
      in: palette.database
    )
  }
}

extension RecordState {
  /// Returns whether it has all that a color, or a palette, needs to be shown.
  fileprivate func isWhole(_ isPalette: Bool) -> Bool {
    isPalette ? values.contains { $0.register == .name } : isComplete
  }
}

extension PaletteWriter {
  /// A number among the arrivals for something that is no change.
  fileprivate func nextArrival() throws(StoreError) -> Int64 {
    try insertMoment()
    return draft.nextArrival()
  }
}
