/// The difference between two lists of ids: what went, what came, what changed its order.
///
/// It knows nothing of contents; ``forEachKept(_:)`` visits the pairs whose contents a caller may
/// want to compare. Time is linear, but for the search for the fewest moves, which is O(n log n) in
/// the part of the lists that differs.
package struct OrderDiff: Sendable {
  /// A kept element that left the order of the others.
  package struct Move: Hashable, Sendable {
    /// The index in the old list.
    package let from: Int
    /// The index in the new list.
    package let to: Int
  }

  /// The old indexes of ids that are gone, ascending.
  package let deletions: [Int]
  /// The new indexes of ids that are new, ascending.
  package let insertions: [Int]
  /// The fewest moves that bring the rest into its new order, by new index.
  package let moves: [Move]
  /// How many ids were compared or looked up and how many comparisons were made in all.
  package let work: Int

  private let pairing: OrderPairing

  /// Compares two lists of ids.
  ///
  /// With `oldIsDistinct` the old list is known to hold no id twice, and only what lies between the
  /// common beginning and the common end is hashed.
  /// - Throws: ``PaletteDiffError`` when an id stands twice in a list.
  package init(
    from old: [RecordID],
    to new: [RecordID],
    oldIsDistinct: Bool = false
  ) throws(PaletteDiffError) {
    let pairing = try OrderPairing(old: old, new: new, oldIsDistinct: oldIsDistinct)
    let kept = pairing.middle.filter { $0 >= 0 }
    let staying = IncreasingSubsequence(of: kept)
    var moves: [Move] = []
    if staying.contains.contains(false) {
      var position = 0
      for (offset, from) in pairing.middle.enumerated() where from >= 0 {
        if !staying.contains[position] {
          moves.append(Move(from: Int(from), to: pairing.prefix + offset))
        }
        position += 1
      }
    }
    self.moves = moves
    self.pairing = pairing
    deletions = pairing.unpaired
    insertions = pairing.fresh
    work = pairing.work + staying.comparisons
  }

  /// Whether both lists hold the same ids in the same order.
  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty }

  /// Visits every id that both lists hold, by ascending new index.
  package func forEachKept(_ body: (_ oldIndex: Int, _ newIndex: Int) -> Void) {
    for index in 0..<pairing.prefix { body(index, index) }
    for (offset, from) in pairing.middle.enumerated() where from >= 0 {
      body(Int(from), pairing.prefix + offset)
    }
    for index in pairing.newEnd..<pairing.newCount {
      body(index - pairing.newCount + pairing.oldCount, index)
    }
  }
}
