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
  /// The number of ids that were compared or looked up, and the number of comparisons in all.
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

  /// True if both lists hold the same ids in the same order.
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

/// Pairs the ids of two lists: which element of the old list each element of the new one is.
struct OrderPairing {
  let oldCount: Int
  let newCount: Int
  /// The number of ids the lists have in common at their beginning.
  let prefix: Int
  /// The new index at which the common end begins.
  let newEnd: Int
  /// For each new element between the common beginning and end: its old index, or -1.
  private(set) var middle: [Int32]
  /// The old indexes without a partner, ascending.
  private(set) var unpaired: [Int] = []
  /// The new indexes without a partner, ascending.
  private(set) var fresh: [Int] = []
  /// The number of ids that were compared or looked up.
  private(set) var work: Int

  init(old: [RecordID], new: [RecordID], oldIsDistinct: Bool) throws(PaletteDiffError) {
    let shared = min(old.count, new.count)
    var prefix = 0
    while prefix < shared, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shared - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    oldCount = old.count
    newCount = new.count
    newEnd = new.count - suffix
    self.prefix = prefix
    middle = [Int32](repeating: -1, count: new.count - suffix - prefix)
    work = prefix + suffix
    try pair(old, new, oldIsDistinct: oldIsDistinct)
    try checkFresh(new, againstEnds: oldIsDistinct)
  }

  private mutating func pair(
    _ old: [RecordID],
    _ new: [RecordID],
    oldIsDistinct: Bool
  ) throws(PaletteDiffError) {
    let oldMiddle = prefix..<(oldCount - newCount + newEnd)
    let known = oldIsDistinct ? oldMiddle : old.indices
    var table = IdentityTable(of: old, count: known.count)
    for index in known where !table.insert(index) {
      throw PaletteDiffError(.duplicateID, id: old[index], index: index)
    }
    var isPaired = [Bool](repeating: false, count: oldMiddle.count)
    for index in prefix..<newEnd {
      guard let partner = table.position(of: new[index]) else {
        fresh.append(index)
        continue
      }
      // Outside the middle, the id stands in the common beginning or end as well.
      guard oldMiddle.contains(partner), !isPaired[partner - prefix] else {
        throw PaletteDiffError(.duplicateID, id: new[index], index: index)
      }
      isPaired[partner - prefix] = true
      middle[index - prefix] = Int32(partner)
    }
    for index in oldMiddle where !isPaired[index - prefix] { unpaired.append(index) }
    work += table.probes
  }

  /// Refuses an id that is new twice, or that the ends, when they were not hashed, hold already.
  private mutating func checkFresh(
    _ new: [RecordID],
    againstEnds: Bool
  ) throws(PaletteDiffError) {
    guard !fresh.isEmpty else { return }
    var table = IdentityTable(of: new, count: fresh.count)
    for index in fresh where !table.insert(index) {
      throw PaletteDiffError(.duplicateID, id: new[index], index: index)
    }
    if againstEnds {
      for ends in [0..<prefix, newEnd..<newCount] {
        for index in ends {
          guard let twin = table.position(of: new[index]) else { continue }
          throw PaletteDiffError(.duplicateID, id: new[index], index: max(index, twin))
        }
      }
    }
    work += table.probes
  }
}

/// The longest part of a list of different numbers that is in ascending order already.
///
/// What it leaves out is the smallest set of elements that must move to sort the list.
package struct IncreasingSubsequence {
  /// For each element, whether it belongs to the part.
  package let contains: [Bool]
  /// The number of comparisons it took.
  package let comparisons: Int

  /// Finds the part in O(n log n), or in O(n) when the list is ascending.
  package init(of values: [Int32]) {
    /// Position of the smallest value that ends an ascending part of each length.
    var ends: [Int32] = []
    /// Position before each one in its part, -1 for none.
    var previous = [Int32](repeating: -1, count: values.count)
    var comparisons = 0
    for position in values.indices {
      let value = values[position]
      comparisons += 1
      var length = ends.count
      if let last = ends.last, values[Int(last)] > value {
        length = 0
        var upper = ends.count - 1
        while length < upper {
          comparisons += 1
          let middle = (length + upper) / 2
          if values[Int(ends[middle])] < value { length = middle + 1 } else { upper = middle }
        }
      }
      if length > 0 { previous[position] = ends[length - 1] }
      if length == ends.count {
        ends.append(Int32(position))
      } else {
        ends[length] = Int32(position)
      }
    }
    var contains = [Bool](repeating: false, count: values.count)
    var position = ends.last ?? -1
    while position >= 0 {
      contains[Int(position)] = true
      position = previous[Int(position)]
    }
    self.contains = contains
    self.comparisons = comparisons
  }
}
