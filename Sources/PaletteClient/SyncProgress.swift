/// How far a catch-up is: what is still to come is known in advance.
struct SyncProgress {
  /// The changes that are exchanged already.
  private(set) var done = 0
  /// The changes that were to be exchanged, as far as is known by now.
  private(set) var total = 0

  /// Takes in how many changes are left; more may have come meanwhile.
  mutating func update(left: Int) {
    total = max(total, done + left)
    done = total - left
  }
}
