internal import PaletteMerge

/// The times at which the rights of connected members have to be looked at: when some were changed,
/// or one ends.
///
/// Where neither is the case, thousands of connections cost nothing.
final class RightsSchedule {
  private var changes: Int? = 0
  private var endMilliseconds: Int64?
  /// The time at which they are looked at next.
  private var nextMilliseconds: Int64 = 0
  /// Incremented whenever writes of somebody have to wait, or need not any more.
  private var limitChanges = 0

  /// The interval at which the rights of connected members are looked at.
  private static let intervalMilliseconds: Int64 = 1_000

  /// Returns whether it is time to look.
  func isTime(at now: Int64) -> Bool {
    now >= nextMilliseconds || now < nextMilliseconds - 60_000
  }

  /// Begins to look, and does so again after a while.
  func begin(at now: Int64) { nextMilliseconds = now + Self.intervalMilliseconds }

  /// Writes of somebody have to wait, or need not any more.
  func limitsChanged() { limitChanges += 1 }

  /// Makes the next look at rights due with the next tick.
  func hurry() { nextMilliseconds = 0 }

  /// The look at rights failed: all are to be looked at again.
  func failed() { changes = nil }

  /// The number of changes of anything that rights follow from.
  func changes(ofMembers memberChanges: Int) -> Int { memberChanges + limitChanges }

  /// Adds the grants of somebody who is connected.
  func add(_ grants: [Grant]) {
    guard let end = grants.compactMap(\.expiresMilliseconds).min() else { return }
    endMilliseconds = min(endMilliseconds ?? end, end)
  }

  /// Returns whether all connections have to be looked at, which then say again until when they may
  /// stay.
  ///
  /// - Parameters:
  ///   - changes: How often rights were changed.
  ///   - milliseconds: The time.
  /// - Returns: Whether they are due.
  func isDue(changes: Int, at milliseconds: Int64) -> Bool {
    guard changes != self.changes || endMilliseconds.map({ $0 <= milliseconds }) ?? false else {
      return false
    }
    self.changes = changes
    endMilliseconds = nil
    return true
  }
}
