import PaletteJSON

extension [JSON] {
  /// Takes out what goes or moves, by old index, then puts in what comes, by new index.
  mutating func change(by diff: JSON) {
    let moves = diff["moves"].arrayValue ?? []
    var arrivals = moves.compactMap { move in
      move["from"].intValue.flatMap { indices.contains($0) ? (move["to"], self[$0]) : nil }
    }
    arrivals += (diff["insertions"].arrayValue ?? []).map { ($0["index"], $0["color"] ?? .null) }
    let gone = (diff["deletions"].arrayValue ?? []).map { $0["index"] } + moves.map { $0["from"] }
    let leaving = Set(gone.compactMap(\.intValue))
    var rest = enumerated().filter { !leaving.contains($0.offset) }.map(\.element)[...]
    let placed = arrivals.compactMap { arrival in arrival.0.intValue.map { ($0, arrival.1) } }
      .sorted { $0.0 < $1.0 }
    var merged: [JSON] = []
    merged.reserveCapacity(rest.count + placed.count)
    for (index, color) in placed {
      // In one pass, since a re-import may bring thousands at once.
      while merged.count < index, let next = rest.popFirst() { merged.append(next) }
      merged.append(color)
    }
    self = merged + rest
    for update in diff["updates"].arrayValue ?? [] {
      if let index = update["index"].intValue, indices.contains(index) {
        self[index] = update["color"] ?? .null
      }
    }
  }
}
