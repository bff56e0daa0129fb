import PaletteMerge

extension PackedRows {
  /// The most bytes that the squeezed columns may have.
  private static let expandedLimit = 256 * 1024
  /// The number of bytes of numbers or of places that take more time to squeeze than they are
  /// worth.
  ///
  /// Of a long catch-up they are a quarter, take half of the time, and lose a quarter of their bytes.
  private static let noticeable = 1_024

  /// All columns but the plain one, behind a head, squeezed where that is worth the time.
  func squeezed(behind head: some Collection<UInt8>) -> [UInt8] {
    var writer = CBORWriter(reservingCapacity: head.count + byteCount - plain.count + 64)
    writer.write(array: 7)
    writer.write(bytes: head)
    writer.write(unsigned: UInt64(count))
    var incompressible: [Range<Int>] = []
    for (column, isWorthIt) in [
      (shapes, true), (numbers, false), (stamps, true), (places, false), (texts, true),
    ] {
      writer.write(bytes: column)
      let end = writer.bytes.count
      if !isWorthIt, column.count >= Self.noticeable {
        incompressible.append(end - column.count..<end)
      }
    }
    return Deflate.squeeze(writer.bytes, except: incompressible)
  }

  /// The head and the rows as they were.
  static func expand(
    _ plain: [UInt8],
    _ squeezed: [UInt8]
  ) throws(MalformedFrame) -> (head: [UInt8], rows: PackedRows) {
    do {
      let bytes = try Deflate.expand(squeezed, limit: expandedLimit)
      return try CBORReader.readAll(of: bytes) { reader throws(CBORError) in
        guard try reader.readArray() == 7 else { throw .unexpectedType }
        let head = [UInt8](try reader.readBytes())
        var rows = PackedRows()
        rows.plain = plain
        rows.count = Int(clamping: try reader.readUnsigned())
        rows.shapes = [UInt8](try reader.readBytes())
        rows.numbers = [UInt8](try reader.readBytes())
        rows.stamps = [UInt8](try reader.readBytes())
        rows.places = [UInt8](try reader.readBytes())
        rows.texts = [UInt8](try reader.readBytes())
        return (head, rows)
      }
    } catch {
      throw MalformedFrame(description: "not packed rows: \(error)")
    }
  }
}
