package import PaletteMerge
internal import PaletteModel

/// Changes in columns, of which those worth it are squeezed.
///
/// Each stands for itself: its head names the authors by number.
public struct PackedChanges: Hashable, Sendable {
  /// The column that stays as it is.
  public var plain: [UInt8]
  /// The authors and the other columns, squeezed.
  public var squeezed: [UInt8]

  /// Creates packed changes as they travel.
  public init(plain: [UInt8], squeezed: [UInt8]) {
    self.plain = plain
    self.squeezed = squeezed
  }

  /// Packs the first changes of some, and takes them away: as many as a frame should have.
  ///
  /// - Parameters:
  ///   - changes: The changes in the order in which they can be merged.
  ///   - payloadBytes: How many bytes of columns are enough.
  /// - Throws: `CBORError` when one of them is no change after all.
  package init(
    first changes: inout ArraySlice<OutgoingChange>,
    payloadBytes: Int
  ) throws(CBORError) {
    var packer = RowPacker()
    var byteCount = 0
    while let change = changes.first, packer.byteCount < payloadBytes,
      byteCount < SyncProtocol.unpackedBytes / 2,
      // A large one gets a frame of its own.
      packer.rows.count == 0 || packer.byteCount + change.bytes.count <= payloadBytes * 5 / 4
    {
      try change.bytes.withUnsafeBytes { (bytes) throws(CBORError) in
        try packer.add(bytes, change.dot)
      }
      byteCount += change.bytes.count
      changes.removeFirst()
    }
    self.init(packer)
  }

  /// Squeezes what was packed.
  init(_ packer: RowPacker) {
    var head = CBORWriter(reservingCapacity: 16)
    head.write(array: packer.authors.count)
    for author in packer.authors { head.write(unsigned: author.rawValue) }
    self.init(plain: packer.rows.plain, squeezed: packer.rows.squeezed(behind: head.bytes))
  }

  /// The changes of one palette.
  ///
  /// - Throws: `MalformedFrame` when they are none.
  func changes(in palette: PaletteID) throws(MalformedFrame) -> [ArrivedChange] {
    try unpack { rows, authors throws(MalformedPacking) in
      try rows.changes(by: authors, in: palette, byteLimit: SyncProtocol.unpackedBytes)
    }
  }

  /// The changes of several palettes, each with the number of its rows.
  ///
  /// - Throws: `MalformedFrame` when they are none.
  func arrivals(
    in palettes: [(id: PaletteID, rows: Int)]
  ) throws(MalformedFrame) -> [ArrivedChanges] {
    try unpack { rows, authors throws(MalformedPacking) in
      try rows.arrivals(by: authors, in: palettes, byteLimit: SyncProtocol.unpackedBytes)
    }
  }

  private func unpack<Result>(
    _ body: (PackedRows, [NodeID]) throws(MalformedPacking) -> Result
  ) throws(MalformedFrame) -> Result {
    let (head, rows) = try PackedRows.expand(plain, squeezed)
    do {
      let authors = try CBORReader.readAll(of: head) { reader throws(CBORError) in
        var authors: [NodeID] = []
        for _ in 0..<(try reader.readArray()) { authors.append(NodeID(try reader.readUnsigned())) }
        return authors
      }
      return try body(rows, authors)
    } catch {
      throw MalformedFrame(description: "not packed changes: \(error)")
    }
  }
}
