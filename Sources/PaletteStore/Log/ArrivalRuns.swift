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
    /// The colors in order.
    var arrivals: [Arrival]
  }

  /// A color that arrives.
  enum Arrival {
    /// Which of the diff's insertions it is.
    case insertion(Int)
    /// Which of the diff's moves it is.
    case move(Int)
  }

  init(_ diff: PaletteDiff, _ list: [ListedColor]) {
    let leaving = Set(diff.deletions.map(\.index)).union(diff.moves.map(\.from))
    kept = list.indices.filter { !leaving.contains($0) }.map { list[$0] }
    var arrivals: [(index: Int, arrival: Arrival)] = []
    arrivals.reserveCapacity(diff.insertions.count + diff.moves.count)
    for (number, insertion) in diff.insertions.enumerated() {
      arrivals.append((insertion.index, .insertion(number)))
    }
    for (number, move) in diff.moves.enumerated() { arrivals.append((move.to, .move(number))) }
    arrivals.sort { $0.index < $1.index }
    for (count, arrival) in arrivals.enumerated() {
      // What is not an arrival before this index is a kept color.
      let index = arrival.index - count
      if runs.last?.index == index {
        runs[runs.count - 1].arrivals.append(arrival.arrival)
      } else {
        runs.append(Run(index: index, arrivals: [arrival.arrival]))
      }
    }
  }
}
