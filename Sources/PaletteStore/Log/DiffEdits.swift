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
      guard position < edits.count else { return nil }
      defer { position += 1 }
      return edits[position]
    }
  }

  /// How many there are.
  var count: Int { others.count + arrivals.count }

  subscript(position: Int) -> Edit {
    guard position >= others.count else { return others[position] }
    let (arrival, place) = arrivals[position - others.count]
    return switch arrival {
    case .insertion(let number): .add(diff.insertions[number].color, at: place)
    case .move(let number): list[diff.moves[number].from].color.moving(to: place)
    }
  }
}
