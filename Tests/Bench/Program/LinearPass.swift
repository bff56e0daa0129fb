import PaletteModel

/// The least that any comparison of two lists by identity pays: it looks at every id of both lists
/// once, and finds the longest part in common that keeps its order.
///
/// It only counts; a difference also has to say what went where.
struct LinearPass {
  private(set) var insertions = 0
  private(set) var deletions = 0
  private(set) var moves = 0

  init(from old: [RecordID], to new: [RecordID]) {
    var positions: [RecordID: Int] = [:]
    positions.reserveCapacity(old.count)
    for (index, id) in old.enumerated() { positions[id] = index }
    // The least last position of an ascending part of each length.
    var ends: [Int] = []
    var kept = 0
    for id in new {
      guard let position = positions[id] else {
        insertions += 1
        continue
      }
      kept += 1
      var (lower, upper) = (0, ends.count)
      while lower < upper {
        let middle = (lower + upper) / 2
        if ends[middle] < position { lower = middle + 1 } else { upper = middle }
      }
      if lower == ends.count { ends.append(position) } else { ends[lower] = position }
    }
    deletions = old.count - kept
    moves = kept - ends.count
  }
}
