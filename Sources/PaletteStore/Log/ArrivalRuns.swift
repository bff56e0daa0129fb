import PaletteModel

/// What a diff inserts and moves, as runs that come to stand between colors that stay.
struct ArrivalRuns {
  /// The colors that stay where they are, in order.
  let kept: [ListedColor]
  /// The runs in order.
  private(set) var runs: [Run] = []

  /// Colors that arrive side by side.
  struct Run {
    /// How many of the kept colors stand before the run.
    let index: Int
    /// For each color in order, the edit that puts it at a place.
    var edits: [(Place) -> Edit]
  }

  init(_ diff: PaletteDiff, _ list: [ListedColor]) {
    let leaving = Set(diff.deletions.map(\.index)).union(diff.moves.map(\.from))
    kept = list.indices.filter { !leaving.contains($0) }.map { list[$0] }
    var arrivals = diff.insertions.map { insertion in
      (index: insertion.index, edit: { Edit.add(insertion.color, at: $0) })
    }
    arrivals += diff.moves.map { move in
      let color = list[move.from].color
      return (index: move.to, edit: { color.moving(to: $0) })
    }
    arrivals.sort { $0.index < $1.index }
    for (count, arrival) in arrivals.enumerated() {
      // What is not an arrival before this index is a kept color.
      let index = arrival.index - count
      if runs.last?.index == index {
        runs[runs.count - 1].edits.append(arrival.edit)
      } else {
        runs.append(Run(index: index, edits: [arrival.edit]))
      }
    }
  }
}
