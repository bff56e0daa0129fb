import PaletteCommands

extension [Received<RecordAnswer>] {
  /// Takes out what goes or moves, by old index, then puts in what comes, by new index.
  mutating func change(by diff: Received<RPCEvents.Diff>) {
    let (moves, insertions) = (diff.moves, diff.insertions)
    var arrivals = moves.compactMap { move in
      move.from.flatMap { indices.contains($0) ? (move.index, self[$0]) : nil }
    }
    arrivals += insertions.map { ($0.index, $0.color) }
    let leaving = Set((diff.deletions.map(\.index) + moves.map(\.from)).compactMap(\.self))
    var rest = enumerated().filter { !leaving.contains($0.offset) }.map(\.element)[...]
    let placed = arrivals.compactMap { arrival in arrival.0.map { ($0, arrival.1) } }
      .sorted { $0.0 < $1.0 }
    var merged: Self = []
    merged.reserveCapacity(rest.count + placed.count)
    for (index, color) in placed {
      // In one pass, since a re-import may bring thousands at once.
      while merged.count < index, let next = rest.popFirst() { merged.append(next) }
      merged.append(color)
    }
    self = merged + rest
    for update in diff.updates {
      if let index = update.index, indices.contains(index) { self[index] = update.color }
    }
  }
}
