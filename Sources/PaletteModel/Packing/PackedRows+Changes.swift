extension PackedRows {
  /// The changes.
  ///
  /// - Parameters:
  ///   - authors: The authors by number.
  ///   - palette: The palette.
  ///   - byteLimit: The most bytes that all changes may have.
  /// - Returns: The changes in order.
  /// - Throws: `MalformedPacking` when no changes can be put together.
  package func changes(
    by authors: [NodeID],
    in palette: PaletteID,
    byteLimit: Int
  ) throws(MalformedPacking) -> [ArrivedChange] {
    var unpacker = RowUnpacker(
      authors: authors,
      palette: palette,
      byteLimit: byteLimit,
      makesChanges: true
    )
    var changes: [ArrivedChange] = []
    changes.reserveCapacity(min(count, shapes.count / 2))
    try read { columns in
      for _ in 0..<count {
        let row = try unpacker.next(&columns)
        guard let change = unpacker.change.take() else { preconditionFailure("a row is a change") }
        let bytes = row.offset..<row.offset + row.count
        changes.append(ArrivedChange(change, promising: bytes, hash: row.hash))
      }
    }
    let bytes = unpacker.removeBytes()
    for index in changes.indices { changes[index].come(to: bytes) }
    return changes
  }
}
