import PaletteMerge
import PaletteModel

/// A snapshot that is being pushed in parts of its plain bytes, as far as it has come.
///
/// Changes are read when their part is due, so that a palette of any size takes no longer at a time.
struct PlainPush: Hashable {
  /// The parts of the snapshot.
  let outline: SnapshotOutline
  /// The bytes that are made and not pushed.
  private var bytes: [UInt8]
  private var position = 0
  private var index: UInt64 = 0

  init(_ outline: SnapshotOutline) {
    self.outline = outline
    bytes = outline.head.encodedHead(rowCount: outline.rows.count)
  }

  var isAtEnd: Bool { bytes.isEmpty && position == outline.rows.count }

  /// Makes the next part.
  ///
  /// - Returns: The part; nil when a change is gone, and everything has to begin again.
  mutating func nextPart<Library: SyncLibrary>(
    of palette: PaletteID,
    payloadBytes: Int,
    _ library: Library
  ) throws(Library.Failure) -> Frame? {
    if bytes.count < payloadBytes, position < outline.rows.count {
      let start = position
      let isWhole = try library.lend(outline.rows[position...], of: palette) { change in
        let row = outline.rows[position]
        let live = row.registers + (outline.unknown[row.dot] ?? [])
        bytes += Snapshot.Row(bytes: Array(change), live: live, isCovered: row.isCovered).encoded
        position += 1
        return bytes.count < payloadBytes
      }
      guard isWhole, position > start else { return nil }
    }
    let part = Array(bytes.prefix(payloadBytes))
    bytes.removeFirst(part.count)
    defer { index += 1 }
    return .snapshot(palette, index: index, isLast: isAtEnd, part)
  }
}
