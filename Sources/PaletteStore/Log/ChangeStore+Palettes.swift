public import PaletteModel

extension ChangeStore {
  /// Makes an empty palette.
  ///
  /// - Parameter name: The name, at most 1 KiB and without control characters; others may have it.
  /// - Returns: The palette's id.
  /// - Throws: `StoreError` when the store failed.
  public func makePalette(named name: String) throws(StoreError) -> PaletteID {
    var random = random
    let id = PaletteID(RecordID(using: &random))
    try write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: id).author(
        .add(id.record, [.name: RegisterValue(text: name)])
      )
    }
    return id
  }

  /// Gives a palette another name.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - name: The name, at most 1 KiB and without control characters; others may have it.
  /// - Throws: `StoreError` when the store failed.
  public func rename(_ id: PaletteID, to name: String) throws(StoreError) {
    try write { transaction throws(StoreError) in
      let edit = Edit.set(id.record, [.name: RegisterValue(text: name)])
      _ = try transaction.palette(id)?.author(edit)
    }
  }

  /// Writes what a list of named colors became, as one action that can be undone.
  ///
  /// Insertions and moves get places between the neighbours that the diff gives them, so the list
  /// may have changed here meanwhile.
  ///
  /// - Parameters:
  ///   - diff: The difference between the palette's list here and what it shall be.
  ///   - id: The palette.
  /// - Throws: `StoreError` with code `constraint` when the diff is about another list.
  public func commit(_ diff: PaletteDiff, to id: PaletteID) throws(StoreError) {
    guard !diff.isEmpty else { return }
    try write { transaction throws(StoreError) in
      let list = try colors(of: id)
      do {
        _ = try diff.applying(to: list.map(\.color))
      } catch {
        throw StoreError(
          code: .constraint,
          message: "the diff is not about this list: \(error)",
          hint: "take the list again, and make the diff from that"
        )
      }
      let palette = try transaction.palette(beginning: id)
      try palette.act(diff, on: list)
    }
  }
}
