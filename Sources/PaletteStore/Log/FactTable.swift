import PaletteModel

/// The stamps and hashes of the changes that a transaction has come across.
///
/// Most come in the order in which their author made them, whether they are taken or read, so they
/// are kept in that order and found without a search; only the others need a hash table, whose every
/// use is a cache miss or two.
///
/// It is a class because merging asks it from within closures: asking a struct there begins with a
/// copy, whose counting of references takes longer than the answer.
final class FactTable {
  /// Changes of one author, with small gaps.
  private struct Run {
    let node: NodeID
    let first: UInt32
    var facts: [ChangeFacts?]

    /// The widest gap that is filled.
    static let widestGap = 8

    /// Where a change is, or would be; nil where it is of another author, or before all of these.
    func index(of dot: Dot) -> Int? {
      dot.node == node && dot.sequence >= first ? Int(dot.sequence - first) : nil
    }
  }

  /// So few that looking at each is quicker than a hash table.
  @exclusivity(unchecked) private var runs: [Run] = []
  @exclusivity(unchecked) private var others = TouchTable<Dot, ChangeFacts>()

  private static let runLimit = 8

  /// What is known of a change.
  subscript(dot: Dot) -> ChangeFacts? {
    for run in runs.indices {
      guard let index = runs[run].index(of: dot), index < runs[run].facts.count else { continue }
      if let facts = runs[run].facts[index] { return facts }
    }
    return others[dot]
  }

  /// Adds what is known of a change.
  func put(_ facts: ChangeFacts, for dot: Dot) {
    for run in runs.indices {
      guard let index = runs[run].index(of: dot) else { continue }
      let count = runs[run].facts.count
      if index < count {
        runs[run].facts[index] = facts
        return
      }
      guard index - count <= Run.widestGap else { continue }
      for _ in count..<index { runs[run].facts.append(nil) }
      runs[run].facts.append(facts)
      return
    }
    if runs.count < Self.runLimit {
      runs.append(Run(node: dot.node, first: dot.sequence, facts: [facts]))
    } else {
      others.put(facts, for: dot)
    }
  }

  /// Forgets everything.
  func removeAll() {
    runs = []
    others = TouchTable()
  }
}
