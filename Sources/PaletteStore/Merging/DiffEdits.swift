import PaletteMerge
import PaletteModel

/// The edits that a diff asks for, made one at a time: deletions, updates, then what arrives.
///
/// So an import never has all of them, and a long action gives places only to what it writes next.
struct DiffEdits: Sendable {
  private let diff: PaletteDiff
  /// The list to which the diff applies.
  private let list: [ListedColor]
  private let runs: [ArrivalRuns.Run]
  /// The colors that stay, with their places.
  private var kept: [ListedColor]
  /// The number of deletions and updates that were given.
  private var position = 0
  /// True if there is room behind the last color.
  private var hasRoom = false
  /// The number of runs that have places.
  private var placedRuns = 0
  /// Places of the run that is given, and the edits that made room for it, which go before it.
  private var places: [Place] = []
  private var moves: ArraySlice<Edit> = []
  private var nextArrival = 0
  /// The number of edits that were given that the diff says.
  private(set) var given = 0

  /// Prepares the edits that turn a list into the one that a diff gives.
  init(_ diff: PaletteDiff, on list: [ListedColor]) {
    let arrivals = ArrivalRuns(diff, list)
    self.diff = diff
    self.list = list
    runs = arrivals.runs
    kept = arrivals.kept
  }

  /// The number of edits the diff says; those that make room come on top.
  var count: Int {
    diff.deletions.count + diff.updates.count + diff.insertions.count + diff.moves.count
  }

  /// Gives the next edit.
  ///
  /// - Parameters:
  ///   - writer: The palette, which gives the places.
  ///   - seen: For a color that is removed, updated or moved, the live values that whoever wants that has
  ///     seen; nil for all of them.
  /// - Returns: The edit; nil when all were given.
  /// - Throws: Why the palette gives no place.
  mutating func next(
    in writer: PaletteWriter,
    seeing seen: (RecordID) -> SeenValues? = { _ in nil }
  ) throws(StoreError) -> Edit? {
    while position < diff.deletions.count + diff.updates.count {
      defer { position += 1 }
      given += 1
      if position < diff.deletions.count {
        let id = diff.deletions[position].id
        return .delete(id).seeing(seen(id))
      }
      let update = diff.updates[position - diff.deletions.count]
      if let edit = update.color.change(from: update.was) {
        return edit.seeing(seen(update.color.id))
      }
    }
    if !hasRoom {
      hasRoom = true
      // Before anything is placed, so that nothing that moves passes what arrives.
      if let last = runs.last, last.index > 0,
        !PlaceGenerator.hasRoom(after: kept[last.index - 1].place)
      {
        var edits: [Edit] = []
        try writer.makeRoomAtEnd(of: &kept, &edits)
        moves = edits[...]
      }
    }
    while true {
      if let edit = moves.popFirst() { return edit }
      if nextArrival < places.count {
        defer { nextArrival += 1 }
        given += 1
        let arrival = runs[placedRuns - 1].arrivals[nextArrival]
        return edit(arrival, at: places[nextArrival], seeing: seen)
      }
      guard placedRuns < runs.count else { return nil }
      let run = runs[placedRuns]
      var edits: [Edit] = []
      places = try writer.makeRoom(for: run.arrivals.count, in: &kept, at: run.index, &edits)
      (moves, nextArrival) = (edits[...], 0)
      placedRuns += 1
    }
  }

  private func edit(
    _ arrival: ArrivalRuns.Arrival,
    at place: Place,
    seeing seen: (RecordID) -> SeenValues?
  ) -> Edit {
    switch arrival {
    case .insertion(let number): return .add(diff.insertions[number].color, at: place)
    case .move(let number):
      let color = list[diff.moves[number].from].color
      return color.moving(to: place).seeing(seen(color.id))
    }
  }
}

/// The colors that a diff inserts and moves, as runs that come to stand between colors that stay.
struct ArrivalRuns {
  /// The colors that stay where they are, in order.
  let kept: [ListedColor]
  /// The runs in order.
  private(set) var runs: [Run] = []

  /// Colors that arrive side by side.
  struct Run {
    /// The number of the kept colors that stand before the run.
    let index: Int
    /// The colors in order.
    var arrivals: [Arrival]
  }

  /// A color that arrives.
  enum Arrival {
    /// The index among the diff's insertions.
    case insertion(Int)
    /// The index among the diff's moves.
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
