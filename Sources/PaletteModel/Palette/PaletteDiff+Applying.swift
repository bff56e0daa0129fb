extension PaletteDiff {
  /// The list that results when all steps are applied to `old` at once.
  ///
  /// - Throws: ``PaletteDiffError`` when a step does not fit: an index is out of range or claimed
  ///   twice, another record stands where the diff expects one, or an id would stand twice. `was` is
  ///   not compared.
  public func applying(to old: [NamedColor]) throws(PaletteDiffError) -> [NamedColor] {
    let staying = try remaining(of: old)
    try checkInsertions(against: staying)
    var result = try merging(staying, with: arrivals(from: old))
    for update in updates {
      guard result.indices.contains(update.index) else {
        throw PaletteDiffError(.badIndex, id: update.color.id, index: update.index)
      }
      guard result[update.index].id == update.color.id else {
        throw PaletteDiffError(.wrongID, id: update.color.id, index: update.index)
      }
      result[update.index] = update.color
    }
    return result
  }

  /// What neither goes nor moves, in order.
  private func remaining(of old: [NamedColor]) throws(PaletteDiffError) -> [NamedColor] {
    if deletions.isEmpty && moves.isEmpty { return old }
    var leaves = [Bool](repeating: false, count: old.count)
    for (index, id) in deletions.map({ ($0.index, $0.id) }) + moves.map({ ($0.from, $0.id) }) {
      guard leaves.indices.contains(index), !leaves[index] else {
        throw PaletteDiffError(.badIndex, id: id, index: index)
      }
      guard old[index].id == id else { throw PaletteDiffError(.wrongID, id: id, index: index) }
      leaves[index] = true
    }
    return old.indices.filter { !leaves[$0] }.map { old[$0] }
  }

  /// The inserted and moved colors by ascending new index, also when the steps are in disorder.
  private func arrivals(from old: [NamedColor]) -> [(index: Int, color: NamedColor)] {
    let inserted = insertions.map { (index: $0.index, color: $0.color) }
    let moved = moves.map { (index: $0.to, color: old[$0.from]) }
    return (inserted + moved).sorted { $0.index < $1.index }
  }

  /// The list in which arrivals stand at their indexes and the rest keeps its order between them.
  private func merging(
    _ staying: [NamedColor],
    with arrivals: [(index: Int, color: NamedColor)]
  ) throws(PaletteDiffError) -> [NamedColor] {
    guard !arrivals.isEmpty else { return staying }
    var result: [NamedColor] = []
    result.reserveCapacity(staying.count + arrivals.count)
    var next = 0
    for (index, color) in arrivals {
      let gap = index - result.count
      guard gap >= 0, gap <= staying.count - next else {
        throw PaletteDiffError(.badIndex, id: color.id, index: index)
      }
      result += staying[next..<(next + gap)]
      next += gap
      result.append(color)
    }
    return result + staying[next...]
  }

  /// Refuses an inserted id that is inserted twice, stays, or moves.
  private func checkInsertions(against staying: [NamedColor]) throws(PaletteDiffError) {
    guard !insertions.isEmpty else { return }
    var table = IdentityTable(of: insertions.map(\.color.id), count: insertions.count)
    for (position, insertion) in insertions.enumerated() where !table.insert(position) {
      throw PaletteDiffError(.duplicateID, id: insertion.color.id, index: insertion.index)
    }
    for id in moves.lazy.map(\.id) where table.position(of: id) != nil {
      throw PaletteDiffError(.duplicateID, id: id)
    }
    for color in staying where table.position(of: color.id) != nil {
      throw PaletteDiffError(.duplicateID, id: color.id)
    }
  }
}
