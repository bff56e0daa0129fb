/// The diffs that one subscriber has not taken yet, in bounded memory and without loss.
///
/// Up to ``capacity`` diffs wait one by one. What comes on top is remembered as two lists, the one
/// before and the one after, and becomes a single diff when the subscriber gets there.
struct DiffQueue: Sendable {
  /// How many diffs wait one by one.
  static let capacity = 64

  private var diffs: [PaletteDiff] = []
  private var rest: (before: [NamedColor], after: [NamedColor])?

  /// Adds a change.
  mutating func push(_ change: PaletteChange) {
    if rest != nil {
      rest?.after = change.after
    } else if diffs.count < Self.capacity {
      diffs.append(change.diff)
    } else {
      rest = (change.before, change.after)
    }
  }

  /// Takes the next diff; nil when there is none, or when what was left cancelled itself out.
  mutating func pop() -> PaletteDiff? {
    if !diffs.isEmpty { return diffs.removeFirst() }
    guard let (before, after) = rest else { return nil }
    rest = nil
    let diff = PaletteDiff(betweenSound: before, and: after)
    return diff.isEmpty ? nil : diff
  }
}
