import PaletteModel

/// What a change's row keeps: its bytes without the beginning that its `id` stands for.
///
/// Every change begins with two array heads, its author and its sequence number, and those the row's
/// number gives as well. They are put back at every reading, so that nobody sees anything but the
/// exact bytes; leaving them out is a seventh of the log.
enum ChangeRow {
  /// How many bytes a row leaves out.
  static func headCount(of dot: Dot) -> Int {
    2 + encodedCount(dot.node.rawValue) + encodedCount(UInt64(dot.sequence))
  }

  /// Lends the bytes that a row leaves out.
  static func withHead<Result>(
    of dot: Dot,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { buffer in
      buffer[0] = 0x82
      buffer[1] = 0x87
      var count = 2
      write(dot.node.rawValue, to: buffer, &count)
      write(UInt64(dot.sequence), to: buffer, &count)
      return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// How many bytes an unsigned number has in deterministic CBOR.
  private static func encodedCount(_ value: UInt64) -> Int {
    switch value {
    case 0..<24: 1
    case 24...0xFF: 2
    case 0x100...0xFFFF: 3
    case 0x1_0000...0xFFFF_FFFF: 5
    default: 9
    }
  }

  private static func write(
    _ value: UInt64,
    to buffer: UnsafeMutableRawBufferPointer,
    _ position: inout Int
  ) {
    let count = encodedCount(value)
    // 24, 25, 26 and 27 announce one, two, four and eight bytes.
    buffer[position] = count == 1 ? UInt8(value) : UInt8(24 + (count - 1).trailingZeroBitCount)
    for index in 1..<max(1, count) {
      buffer[position + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
    }
    position += count
  }
}

extension Statement {
  /// The bytes of a change, of whose row a column is.
  func changeBytes(_ column: Int32, of dot: Dot) -> [UInt8] {
    withBytes(column) { rest in
      ChangeRow.withHead(of: dot) { head in
        [UInt8](unsafeUninitializedCapacity: head.count + rest.count) { buffer, count in
          let target = UnsafeMutableRawBufferPointer(buffer)
          target.copyMemory(from: head)
          UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyMemory(from: rest)
          count = head.count + rest.count
        }
      }
    }
  }
}

extension ChangeFacts {
  /// Reads the facts of a change from a column of its row.
  init(
    _ row: borrowing Statement,
    _ column: Int32,
    of dot: Dot,
    in palette: PaletteID
  ) throws(StoreError) {
    let facts = row.withBytes(column) { rest -> ChangeFacts? in
      var reader = CBORReader(rest)
      guard let stamp = try? reader.readUnsigned() else { return nil }
      let hash = ChangeRow.withHead(of: dot) { ChangeHash(of: $0, rest, in: palette) }
      return ChangeFacts(stamp: Stamp(rawValue: stamp), hash: hash)
    }
    guard let facts else {
      throw StoreError(code: .corrupt, message: "the stored change \(dot) is damaged")
    }
    self = facts
  }
}
