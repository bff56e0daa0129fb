import PaletteModel

/// A part of a snapshot in columns, of which those worth it are squeezed.
public struct PackedPart: Hashable, Sendable {
  /// Where it stands, from 0.
  public var index: UInt64
  /// Whether nothing follows.
  public var isLast: Bool
  /// The column that stays as it is.
  public var plain: [UInt8]
  /// The other columns, squeezed.
  public var squeezed: [UInt8]

  /// The most bytes that the other columns may have.
  static let expandedLimit = 256 * 1024

  /// Creates a part as it travels.
  public init(index: UInt64, isLast: Bool, plain: [UInt8], squeezed: [UInt8]) {
    self.index = index
    self.isLast = isLast
    self.plain = plain
    self.squeezed = squeezed
  }

  /// Creates a part of a piece of the head, and rows.
  init(index: UInt64, isLast: Bool, head: ArraySlice<UInt8>, _ rows: PackedRows) {
    var writer = CBORWriter(reservingCapacity: rows.byteCount - rows.plain.count + 64)
    writer.write(array: 7)
    writer.write(bytes: head)
    writer.write(unsigned: UInt64(rows.count))
    for column in [rows.shapes, rows.numbers, rows.stamps, rows.places, rows.texts] {
      writer.write(bytes: column)
    }
    self.init(
      index: index,
      isLast: isLast,
      plain: rows.plain,
      squeezed: Deflate.squeeze(writer.bytes)
    )
  }

  /// The piece of the head, and the rows.
  ///
  /// - Throws: `MalformedFrame` when it holds no columns.
  func contents() throws(MalformedFrame) -> (head: [UInt8], rows: PackedRows) {
    do {
      let bytes = try Deflate.expand(squeezed, limit: Self.expandedLimit)
      return try bytes.withUnsafeBytes { buffer in
        var reader = CBORReader(buffer)
        guard try reader.readArray() == 7 else { throw CBORError.unexpectedType }
        let head = [UInt8](try reader.readBytes())
        var rows = PackedRows()
        rows.plain = plain
        rows.count = Int(clamping: try reader.readUnsigned())
        rows.shapes = [UInt8](try reader.readBytes())
        rows.numbers = [UInt8](try reader.readBytes())
        rows.stamps = [UInt8](try reader.readBytes())
        rows.places = [UInt8](try reader.readBytes())
        rows.texts = [UInt8](try reader.readBytes())
        guard reader.isAtEnd else { throw CBORError.notDeterministic }
        return (head, rows)
      }
    } catch {
      throw MalformedFrame(description: "not a part of a snapshot: \(error)")
    }
  }
}
