extension PaletteState {
  /// True when a write held in the palette lies within no drop.
  ///
  /// So an edit that no drop saw brings the palette back whole.
  public var isVisible: Bool {
    highestWrite.contains { $0.value > dropped[$0.key] ?? 0 }
  }

  /// The value of a register that is shown.
  public func shown(_ register: Register, of record: RecordID) -> RegisterValue? {
    records[record]?.shown(register, facts: fact(of:))?.value
  }

  /// The palette's name.
  public var name: String? { shown(.name, of: palette.record)?.text }

  /// The records of colors that are visible and complete, in the palette's order.
  public var listed: [RecordID] {
    let listed = records.compactMap { id, state -> (place: [UInt8], id: RecordID)? in
      guard id != palette.record, state.isVisible, state.isComplete,
        let place = shown(.place, of: id)?.placeBytes
      else { return nil }
      return (place, id)
    }
    return listed.sorted { left, right in
      left.place == right.place
        ? left.id < right.id : left.place.lexicographicallyPrecedes(right.place)
    }.map(\.id)
  }

  /// The registers of a record with several different live values, places apart.
  public func conflicts(of record: RecordID) -> [Register] {
    records[record]?.conflicts ?? []
  }
}
