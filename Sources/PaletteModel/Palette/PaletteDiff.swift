/// The difference between two lists of named colors, as a view applies it in one batch.
///
/// Deletions count by old index, insertions by new index; a move names both, and a moved color is
/// neither among the deletions nor among the insertions. Updates count by new index, and a color may
/// be moved and updated at once. Each list is in ascending order of its index (moves: of the new
/// one).
///
/// ```swift
/// let diff = try PaletteDiff(from: old, to: new)
/// try diff.applying(to: old)  // new
/// ```
public struct PaletteDiff: Hashable, Sendable {
  /// The colors that are gone.
  public var deletions: [Deletion]
  /// The colors that are new.
  public var insertions: [Insertion]
  /// The fewest moves that bring the kept colors into their new order.
  public var moves: [Move]
  /// The kept colors whose content changed.
  public var updates: [Update]

  /// Creates a diff from its steps.
  public init(
    deletions: [Deletion] = [],
    insertions: [Insertion] = [],
    moves: [Move] = [],
    updates: [Update] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.updates = updates
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }
}
