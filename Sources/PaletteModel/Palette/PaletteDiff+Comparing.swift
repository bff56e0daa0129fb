extension PaletteDiff {
  /// Compares two lists of named colors.
  ///
  /// - Throws: ``PaletteDiffError`` when an id stands twice in a list.
  public init(from old: [NamedColor], to new: [NamedColor]) throws(PaletteDiffError) {
    try self.init(from: old, to: new, oldIsDistinct: false)
  }

  /// Compares two lists of named colors; with `oldIsDistinct` the old one is known to be sound.
  package init(
    from old: [NamedColor],
    to new: [NamedColor],
    oldIsDistinct: Bool
  ) throws(PaletteDiffError) {
    let order = try OrderDiff(
      from: old.map(\.id),
      to: new.map(\.id),
      oldIsDistinct: oldIsDistinct
    )
    var updates: [Update] = []
    order.forEachKept { oldIndex, newIndex in
      if !old[oldIndex].hasSameContent(as: new[newIndex]) {
        updates.append(Update(index: newIndex, color: new[newIndex], was: old[oldIndex]))
      }
    }
    self.init(
      deletions: order.deletions.map { Deletion(index: $0, id: old[$0].id) },
      insertions: order.insertions.map { Insertion(index: $0, color: new[$0]) },
      moves: order.moves.map { Move(from: $0.from, to: $0.to, id: old[$0.from].id) },
      updates: updates
    )
  }

  /// The diff that leads back to `old`, where this one began.
  ///
  /// - Throws: ``PaletteDiffError`` when this diff does not fit `old`.
  public func inverted(from old: [NamedColor]) throws(PaletteDiffError) -> PaletteDiff {
    try PaletteDiff(from: applying(to: old), to: old)
  }
}

extension PaletteDiff {
  /// Compares two lists that a palette held, and that therefore hold no id twice.
  init(betweenSound old: [NamedColor], and new: [NamedColor]) {
    do {
      try self.init(from: old, to: new, oldIsDistinct: true)
    } catch {
      preconditionFailure("a palette held \(error)")
    }
  }
}
