import PaletteModel

/// The edits that a diff asks for, made one at a time, so that an import never has all of them.
struct DiffEdits: Sequence {
  let diff: PaletteDiff
  /// What the diff is about.
  let list: [ListedColor]
  /// What is done beside inserting and moving.
  var others: [Edit] = []
  /// What arrives, and where.
  var arrivals: [(arrival: ArrivalRuns.Arrival, place: Place)] = []

  func makeIterator() -> Iterator { Iterator(edits: self) }

  struct Iterator: IteratorProtocol {
    fileprivate let edits: DiffEdits
    private var position = 0

    fileprivate init(edits: DiffEdits) {
      self.edits = edits
    }

    mutating func next() -> Edit? {
      defer { position += 1 }
      if position < edits.others.count { return edits.others[position] }
      let index = position - edits.others.count
      guard index < edits.arrivals.count else { return nil }
      let (arrival, place) = edits.arrivals[index]
      switch arrival {
      case .insertion(let number): return .add(edits.diff.insertions[number].color, at: place)
      case .move(let number):
        return edits.list[edits.diff.moves[number].from].color.moving(to: place)
      }
    }
  }
}
