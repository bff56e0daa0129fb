/// Finds the position of an id in a list, in constant time.
///
/// An open-addressed table of positions: it holds no ids of its own, costs four bytes a slot and
/// builds several times faster than a dictionary.
struct IdentityTable {
  private let ids: [RecordID]
  private let hash = SeededHash()
  private let shift: UInt64
  /// Zero for an empty slot, else the position plus one.
  private var slots: [UInt32]
  /// The number of slots that were looked at so far.
  private(set) var probes = 0

  /// Creates an empty table for up to `count` positions of `ids`.
  init(of ids: [RecordID], count: Int) {
    precondition(ids.count < Int32.max, "a palette holds less than 2^31 colors")
    let bits = max(2, Int.bitWidth - max(1, 2 * count - 1).leadingZeroBitCount)
    self.ids = ids
    shift = UInt64(64 - bits)
    slots = [UInt32](repeating: 0, count: 1 << bits)
  }

  /// Adds the id at `position`; false when the id is already there.
  mutating func insert(_ position: Int) -> Bool {
    let slot = slot(of: ids[position])
    guard slots[slot] == 0 else { return false }
    slots[slot] = UInt32(position + 1)
    return true
  }

  /// The position at which `id` was added, if it was.
  mutating func position(of id: RecordID) -> Int? {
    let entry = slots[slot(of: id)]
    return entry == 0 ? nil : Int(entry) - 1
  }

  /// The slot that holds `id`, or the empty one where it belongs.
  private mutating func slot(of id: RecordID) -> Int {
    var slot = Int(truncatingIfNeeded: hash.value(of: id) >> shift)
    probes += 1
    while slots[slot] != 0, ids[Int(slots[slot]) - 1] != id {
      slot = (slot + 1) & (slots.count - 1)
      probes += 1
    }
    return slot
  }
}

/// A hash of two words that costs a tenth of what a dictionary's does.
///
/// It is seeded per process: ids come from peers, who must not be able to choose colliding ones.
private struct SeededHash {
  private static let seeds = (
    UInt64(truncatingIfNeeded: "high half".hashValue),
    UInt64(truncatingIfNeeded: "low half".hashValue)
  )

  // Kept here as well: reading a global asks each time whether it was made.
  private let high: UInt64
  private let low: UInt64

  init() {
    (high, low) = Self.seeds
  }

  /// The hash of an id; of its bits the upper half is the better one.
  func value(of id: RecordID) -> UInt64 {
    let product = (id.high ^ high).multipliedFullWidth(by: id.low ^ low)
    return (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
  }
}
