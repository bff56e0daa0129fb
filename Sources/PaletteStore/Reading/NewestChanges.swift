import PaletteMerge

/// The newest of many changes, by stamp, node and sequence.
struct NewestChanges {
  private let limit: Int?
  private var changes: [Change] = []
  /// The stamp of the oldest; older changes are not among the newest.
  private var oldest: Stamp?

  /// Begins with nothing; without a limit all changes are kept.
  init(limit: Int?) {
    self.limit = limit
  }

  /// Returns whether no change with this stamp is among the newest.
  func excludes(_ stamp: Stamp) -> Bool { oldest.map { stamp < $0 } ?? false }

  mutating func append(_ change: Change) {
    changes.append(change)
    guard let limit, changes.count / 2 >= max(limit, 32) else { return }
    changes = sorted
    oldest = changes.last?.stamp ?? oldest
  }

  /// The newest changes, newest first.
  var sorted: [Change] {
    let sorted = changes.sorted { ($0.stamp, $0.dot) > ($1.stamp, $1.dot) }
    return limit.map { Array(sorted.prefix($0)) } ?? sorted
  }
}
