import PaletteMerge
import PaletteModel

/// A snapshot that is being pushed in packed parts, as far as it has come.
struct SnapshotPush: Hashable {
  /// The parts of the snapshot.
  let outline: SnapshotOutline
  private var packer: RowPacker
  private var head: ArraySlice<UInt8>
  private var position = 0
  private var index: UInt64 = 0

  init(_ outline: SnapshotOutline) {
    self.outline = outline
    packer = RowPacker(authors: outline.frontier.keys.sorted())
    head = outline.head.encoded[...]
  }

  var isAtEnd: Bool { head.isEmpty && position == outline.rows.count }

  /// Makes the next part.
  ///
  /// - Returns: The part; nil when a change is gone, and everything has to begin again.
  mutating func nextPart<Library: SyncLibrary>(
    of palette: PaletteID,
    payloadBytes: Int,
    _ library: Library
  ) throws(Library.Failure) -> PackedPart? {
    let piece = head.prefix(payloadBytes)
    head = head.dropFirst(piece.count)
    // Rows come when the whole head has gone.
    if head.isEmpty {
      let start = position
      var isSound = true
      let rest = outline.rows[position...]
      let isWhole = try library.lend(rest, of: palette) { bytes in
        let row = outline.rows[position]
        // A large change gets a part of its own, without the end of the head too.
        let byteCount = packer.rows.byteCount + piece.count
        guard byteCount == 0 || byteCount + bytes.count <= payloadBytes * 5 / 4 else {
          return false
        }
        do {
          try packer.add(bytes, row, unknown: outline.unknown[row.dot] ?? [])
        } catch {
          isSound = false
          return false
        }
        position += 1
        return packer.rows.byteCount + piece.count < payloadBytes
      }
      guard isWhole, isSound, position > start || !piece.isEmpty || outline.rows.isEmpty else {
        return nil
      }
    }
    defer { index += 1 }
    return PackedPart(index: index, isLast: isAtEnd, head: piece, packer.removeRows())
  }
}

/// A snapshot of which some packed parts have arrived.
struct SnapshotPull: Hashable {
  private var head: [UInt8] = []
  private var unpacker: SnapshotUnpacker?
  private var nextIndex: UInt64 = 0

  /// The number of bytes that are held of it.
  var byteCount: Int { head.count + (unpacker?.byteCount ?? 0) }

  /// Adds a part.
  ///
  /// - Returns: The whole snapshot, with its last part.
  /// - Throws: `MalformedFrame` when the part is none, or not the next one.
  mutating func add(
    _ part: PackedPart,
    of palette: PaletteID
  ) throws(MalformedFrame) -> StagedSnapshot? {
    guard part.index == nextIndex else {
      throw MalformedFrame(description: "a snapshot part is missing")
    }
    nextIndex += 1
    let contents = try part.contents()
    head += contents.head
    guard head.count <= SyncProtocol.snapshotHeadBytes else {
      throw MalformedFrame(description: "the head of the snapshot is too large")
    }
    do {
      if contents.rows.count > 0 || part.isLast, unpacker == nil {
        unpacker = SnapshotUnpacker(head: try Snapshot(decoding: head), palette: palette)
        head = []
      }
      guard head.isEmpty else { return nil }
      try unpacker?.add(contents.rows)
      return part.isLast ? try unpacker?.finish() : nil
    } catch let error as MalformedFrame {
      throw error
    } catch {
      throw MalformedFrame(description: "\(error)")
    }
  }
}
