/// How far a catch-up is: what is still to come is known in advance.
public struct SyncProgress: Equatable, Sendable {
  /// The changes that are exchanged already.
  public private(set) var done = 0
  /// The changes that were to be exchanged, as far as is known by now.
  public private(set) var total = 0

  /// Takes in how many changes are left; more may have come meanwhile.
  mutating func update(left: Int) {
    total = max(total, done + left)
    done = total - left
  }
}
