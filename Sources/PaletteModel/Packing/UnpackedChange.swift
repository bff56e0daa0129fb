/// A change that came packed, put together again.
package struct UnpackedChange: Hashable, Sendable {
  /// What it was packed as.
  package let dot: Dot
  /// Its bytes.
  package let bytes: [UInt8]
  /// Their hash.
  package let hash: ChangeHash
}

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
  ) throws(MalformedPacking) -> [UnpackedChange] {
    var unpacker = RowUnpacker(authors: authors, palette: palette, byteLimit: byteLimit)
    var changes: [UnpackedChange] = []
    try read { columns in
      for _ in 0..<count {
        let row = try unpacker.next(&columns)
        changes.append(
          UnpackedChange(
            dot: Dot(authors[Int(row.author)], row.sequence),
            bytes: Array(unpacker.writer.bytes[row.offset..<row.offset + row.count]),
            hash: row.hash
          )
        )
      }
    }
    return changes
  }
}
