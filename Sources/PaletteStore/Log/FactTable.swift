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
  /// Changes of one author, not all of which are known.
  private struct Run {
    let node: NodeID
    let first: UInt32
    /// For each sequence number from the first on, where its facts are, or -1.
    var places: [Int32]
    /// How many of them are known.
    var count = 1

    /// How many places there may be for each change that is known, or the next one starts elsewhere.
    static let placesEach = 16

    /// Where the place of a change is, or would be; nil where it is of another author, or before all
    /// of these.
    func index(of dot: Dot) -> Int? {
      dot.node == node && dot.sequence >= first ? Int(dot.sequence - first) : nil
    }
  }

  /// So few that looking at each is quicker than a hash table.
  @exclusivity(unchecked) private var runs: [Run] = []
  /// What the places lead to.
  @exclusivity(unchecked) private var facts: [ChangeFacts] = []
  @exclusivity(unchecked) private var others = TouchTable<Dot, ChangeFacts>()

  private static let runLimit = 8

  /// What is known of a change.
  subscript(dot: Dot) -> ChangeFacts? {
    for run in runs.indices {
      guard let index = runs[run].index(of: dot), index < runs[run].places.count else { continue }
      let place = runs[run].places[index]
      if place >= 0 { return facts[Int(place)] }
    }
    return others[dot]
  }

  /// Adds what is known of a change.
  func put(_ known: ChangeFacts, for dot: Dot) {
    for run in runs.indices {
      guard let index = runs[run].index(of: dot) else { continue }
      let end = runs[run].places.count
      if index < end, runs[run].places[index] >= 0 {
        facts[Int(runs[run].places[index])] = known
        return
      }
      guard index < Run.placesEach * (runs[run].count + 1) else { continue }
      for _ in end..<max(end, index + 1) { runs[run].places.append(-1) }
      runs[run].places[index] = Int32(facts.count)
      runs[run].count += 1
      facts.append(known)
      return
    }
    if runs.count < Self.runLimit {
      runs.append(Run(node: dot.node, first: dot.sequence, places: [Int32(facts.count)]))
      facts.append(known)
    } else {
      others.put(known, for: dot)
    }
  }

  /// Makes room for as many changes more.
  func reserve(_ count: Int) {
    facts.reserveCapacity(facts.count + count)
  }

  /// Forgets everything.
  func removeAll() {
    runs = []
    facts = []
    others = TouchTable()
  }
}
