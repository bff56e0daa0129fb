/// Records in the order in which they were first named, found by a hash that costs little.
struct RecordNumbers: Hashable, Sendable {
  private let hash = SeededHash()
  private var ids: [RecordID] = []
  /// For each slot one more than the number of its record; 0 where it is empty.
  private var slots: [UInt32] = []

  /// The number of a record that was named.
  func number(of id: RecordID) -> Int? {
    guard !ids.isEmpty else { return nil }
    let found = slots[slot(of: id)]
    return found == 0 ? nil : Int(found) - 1
  }

  /// Gives a record that was not named yet the next number.
  mutating func append(_ id: RecordID) {
    if 2 * (ids.count + 1) > slots.count {
      slots = [UInt32](repeating: 0, count: max(64, 2 * slots.count))
      for number in ids.indices { slots[slot(of: ids[number])] = UInt32(number + 1) }
    }
    slots[slot(of: id)] = UInt32(ids.count + 1)
    ids.append(id)
  }

  /// The slot that holds a record, or the empty one where it belongs.
  private func slot(of id: RecordID) -> Int {
    var slot = Int(truncatingIfNeeded: hash.value(of: id.words) >> 32) & (slots.count - 1)
    while slots[slot] != 0, ids[Int(slots[slot]) - 1] != id {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}
