import PaletteModel

/// The stamps and hashes of the changes that a transaction has come across.
///
/// Those that it takes come one after the other from each author, so they are kept in that order and
/// found without a search; only the others need a hash table, whose every use is a cache miss or two.
struct FactTable {
  /// Changes of one author, without a gap.
  private struct Run {
    let node: NodeID
    let first: UInt32
    var facts: [ChangeFacts]

    func index(of dot: Dot) -> Int? {
      guard dot.node == node, dot.sequence >= first else { return nil }
      let index = Int(dot.sequence - first)
      return index < facts.count ? index : nil
    }
  }

  /// The runs of a few authors; so few that looking at each is quicker than a hash table.
  private var runs: [Run] = []
  private var others = TouchTable<Dot, ChangeFacts>()

  private static let runLimit = 8

  /// What is known of a change.
  subscript(dot: Dot) -> ChangeFacts? {
    for index in runs.indices {
      if let found = runs[index].index(of: dot) { return runs[index].facts[found] }
    }
    return others[dot]
  }

  /// Whether anything is known of a change.
  func contains(_ dot: Dot) -> Bool {
    runs.contains { $0.index(of: dot) != nil } || others.index(of: dot) != nil
  }

  /// Adds a change that was taken.
  mutating func append(_ facts: ChangeFacts, of dot: Dot) {
    if let index = runs.firstIndex(where: { $0.node == dot.node }) {
      guard Int(runs[index].first) + runs[index].facts.count == Int(dot.sequence) else {
        return put(facts, for: dot)
      }
      runs[index].facts.append(facts)
    } else if runs.count < Self.runLimit {
      runs.append(Run(node: dot.node, first: dot.sequence, facts: [facts]))
    } else {
      put(facts, for: dot)
    }
  }

  /// Adds a change that was read.
  mutating func put(_ facts: ChangeFacts, for dot: Dot) { others.put(facts, for: dot) }

  /// Makes room for as many changes more that are read.
  mutating func reserve(_ count: Int) { others.reserve(count) }
}
