internal import PaletteModel

/// When the rights of connected members have to be looked at: when some were changed, or one ends.
///
/// Where neither is the case, thousands of connections cost nothing.
struct RightsSchedule {
  private var changes = 0
  private var endMilliseconds: Int64?

  /// Takes note of the grants of somebody who is connected.
  mutating func add(_ grants: [Grant]) {
    guard let end = grants.compactMap(\.expiresMilliseconds).min() else { return }
    endMilliseconds = min(endMilliseconds ?? end, end)
  }

  /// Whether all connections have to be looked at, which then say again until when they may stay.
  ///
  /// - Parameters:
  ///   - changes: How often rights were changed.
  ///   - milliseconds: The time.
  /// - Returns: Whether they are due.
  mutating func isDue(changes: Int, at milliseconds: Int64) -> Bool {
    guard changes != self.changes || endMilliseconds.map({ $0 <= milliseconds }) ?? false else {
      return false
    }
    self.changes = changes
    endMilliseconds = nil
    return true
  }
}
