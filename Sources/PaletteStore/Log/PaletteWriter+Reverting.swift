public import PaletteMerge
public import PaletteModel

extension PaletteWriter {
  /// Makes the palette's list what it was, as one action that can be undone.
  ///
  /// Colors that are hidden come back with their ids, as far as anything of them is known under these; what
  /// the list did not have then is removed.
  ///
  /// - Parameters:
  ///   - colors: The list as it was.
  ///   - claim: What others are told that the action was.
  /// - Returns: What changed.
  /// - Throws: `StoreError` when the store failed.
  public func revert(
    to colors: [NamedColor],
    as claim: ActionClaim
  ) throws(StoreError) -> UndoOutcome {
    let list = try store.colors(of: id)
    let diff: PaletteDiff
    do {
      diff = try PaletteDiff(from: list.map(\.color), to: colors)
    } catch {
      throw StoreError(code: .failed, message: "the past list names a color twice: \(error)")
    }
    var edits: [Edit] = []
    for edit in try applying(diff, to: list) { edits += try bringingBack(edit) }
    var outcome = UndoOutcome()
    for edit in edits { outcome.change(edit.record) }
    try act(edits, as: claim)
    return outcome
  }

  /// An addition of a color that is only hidden, as what brings it back and gives it the values it had.
  func bringingBack(_ edit: Edit) throws(StoreError) -> [Edit] {
    guard edit.kind == .add, try !state(of: edit.record).values.isEmpty,
      let place = edit.value(of: .place)
    else { return [edit] }
    var writes: [Change.Write] = []
    for register in [Register.name, .color, .note] {
      // A note that was never written and an empty one are the same to everybody.
      let none = register == .note ? RegisterValue(text: "") : nil
      let shown = try shown(register, of: edit.record)?.value ?? none
      guard let wanted = edit.value(of: register) ?? none, shown != wanted else { continue }
      writes.append(Change.Write(register, value: wanted))
    }
    let restore = Edit.restore(edit.record, [.place: place])
    return writes.isEmpty ? [restore] : [restore, .set(edit.record, writes: writes)]
  }
}
