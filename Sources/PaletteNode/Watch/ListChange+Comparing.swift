internal import PaletteModel
internal import PaletteStore

extension ListChange {
  /// Compares two lists as a whole.
  init(from old: [ListedColor], to new: [ListedColor]) throws(PaletteDiffError) {
    let order = try OrderDiff(
      from: old.map(\.color.id),
      to: new.map(\.color.id),
      oldIsDistinct: true
    )
    deletions = order.deletions.map { .init(index: $0, id: old[$0].color.id) }
    insertions = order.insertions.map { Entry(index: $0, color: new[$0]) }
    moves = order.moves.map { Move(from: $0.from, to: $0.to, color: new[$0.to]) }
    let moved = Set(order.moves.map(\.to))
    order.forEachKept { oldIndex, newIndex in
      if !old[oldIndex].showsSame(as: new[newIndex], isMoved: moved.contains(newIndex)) {
        updates.append(
          (
            Entry(index: oldIndex, color: old[oldIndex]),
            Entry(index: newIndex, color: new[newIndex])
          )
        )
      }
    }
  }
}
