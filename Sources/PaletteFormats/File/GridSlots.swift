/// Places for colors in a grid that has gaps.
///
/// The colors that have places keep these among them, in order; a new one comes behind the one before it, and
/// what is behind moves on as far as the next gap.
enum GridSlots {
  /// The places of colors in their order; nil where there are not enough.
  ///
  /// - Parameters:
  ///   - old: The places that they have; nil for new ones.
  ///   - blocked: Places of what is no color.
  ///   - limit: The number of places, where there is an end.
  /// - Returns: The new places, ascending.
  static func assigned(_ old: [Int?], blocked: Set<Int>, limit: Int? = nil) -> [Int]? {
    var free = old.compactMap(\.self).sorted()[...]
    var slots: [Int] = []
    var next = 0
    for place in old {
      if place != nil, let own = free.popFirst() { next = max(next, own) }
      while blocked.contains(next) { next += 1 }
      slots.append(next)
      next += 1
    }
    guard let limit else { return slots }
    var end = limit
    for index in slots.indices.reversed() {
      var slot = min(slots[index], end - 1)
      while blocked.contains(slot) { slot -= 1 }
      guard slot >= 0 else { return nil }
      slots[index] = slot
      end = slot
    }
    return slots
  }
}
