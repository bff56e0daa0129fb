/// Pairs the ids of two lists: which element of the old list each element of the new one is.
struct OrderPairing {
  let oldCount: Int
  let newCount: Int
  /// How many ids the lists have in common at their beginning.
  let prefix: Int
  /// The new index at which the common end begins.
  let newEnd: Int
  /// For each new element between the common beginning and end: its old index, or -1.
  private(set) var middle: [Int32]
  /// The old indexes without a partner, ascending.
  private(set) var unpaired: [Int] = []
  /// The new indexes without a partner, ascending.
  private(set) var fresh: [Int] = []
  /// How many ids were compared or looked up.
  private(set) var work: Int

  init(old: [RecordID], new: [RecordID], oldIsDistinct: Bool) throws(PaletteDiffError) {
    let shared = min(old.count, new.count)
    var prefix = 0
    while prefix < shared, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shared - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    oldCount = old.count
    newCount = new.count
    newEnd = new.count - suffix
    self.prefix = prefix
    middle = [Int32](repeating: -1, count: new.count - suffix - prefix)
    work = prefix + suffix
    try pair(old, new, oldIsDistinct: oldIsDistinct)
    try checkFresh(new, againstEnds: oldIsDistinct)
  }

  private mutating func pair(
    _ old: [RecordID],
    _ new: [RecordID],
    oldIsDistinct: Bool
  ) throws(PaletteDiffError) {
    let oldMiddle = prefix..<(oldCount - newCount + newEnd)
    let known = oldIsDistinct ? oldMiddle : old.indices
    var table = IdentityTable(of: old, count: known.count)
    for index in known where !table.insert(index) {
      throw PaletteDiffError(.duplicateID, id: old[index], index: index)
    }
    var isPaired = [Bool](repeating: false, count: oldMiddle.count)
    for index in prefix..<newEnd {
      guard let partner = table.position(of: new[index]) else {
        fresh.append(index)
        continue
      }
      // Outside the middle, the id stands in the common beginning or end as well.
      guard oldMiddle.contains(partner), !isPaired[partner - prefix] else {
        throw PaletteDiffError(.duplicateID, id: new[index], index: index)
      }
      isPaired[partner - prefix] = true
      middle[index - prefix] = Int32(partner)
    }
    for index in oldMiddle where !isPaired[index - prefix] { unpaired.append(index) }
    work += table.probes
  }

  /// Refuses an id that is new twice, or that the ends, when they were not hashed, hold already.
  private mutating func checkFresh(
    _ new: [RecordID],
    againstEnds: Bool
  ) throws(PaletteDiffError) {
    guard !fresh.isEmpty else { return }
    var table = IdentityTable(of: new, count: fresh.count)
    for index in fresh where !table.insert(index) {
      throw PaletteDiffError(.duplicateID, id: new[index], index: index)
    }
    if againstEnds {
      for ends in [0..<prefix, newEnd..<newCount] {
        for index in ends {
          guard let twin = table.position(of: new[index]) else { continue }
          throw PaletteDiffError(.duplicateID, id: new[index], index: max(index, twin))
        }
      }
    }
    work += table.probes
  }
}
