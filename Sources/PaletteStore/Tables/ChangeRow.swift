import PaletteMerge
import PaletteModel

/// The part of a change that its row keeps: its bytes without the beginning that its `id` stands
/// for.
///
/// Every change begins with two array heads, its author and its sequence number, and those the row's
/// number gives as well. They are put back at every reading, so that nobody sees anything but the
/// exact bytes; leaving them out is a seventh of the log.
enum ChangeRow {
  /// The number of bytes a row leaves out.
  static func headCount(of dot: Dot) -> Int {
    2 + CBORHead.count(of: dot.node.rawValue) + CBORHead.count(of: UInt64(dot.sequence))
  }

  /// The stamp of a change, with which its row begins; nil where it is damaged.
  static func stamp(of row: UnsafeRawBufferPointer) -> Stamp? {
    var reader = CBORReader(row)
    return (try? reader.readUnsigned()).map(Stamp.init(rawValue:))
  }

  /// Decodes a stored change.
  static func decode(_ bytes: [UInt8], in palette: PaletteID) throws(StoreError) -> Change {
    do {
      return try Change(decoding: bytes, in: palette)
    } catch {
      throw StoreError(code: .corrupt, message: "a stored change is damaged: \(error)")
    }
  }

  /// Lends the bytes that a row leaves out.
  static func withHead<Result>(
    of dot: Dot,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("24 bytes are somewhere") }
      start.storeBytes(of: 0x82, as: UInt8.self)
      start.storeBytes(of: 0x87, toByteOffset: 1, as: UInt8.self)
      var count = 2
      count += CBORHead.write(0, dot.node.rawValue, to: start + count)
      count += CBORHead.write(0, UInt64(dot.sequence), to: start + count)
      return body(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}

extension Statement {
  /// The bytes of a change, of whose row a column is.
  func changeBytes(_ column: Int32, of dot: Dot) -> [UInt8] {
    var bytes: [UInt8] = []
    appendChangeBytes(column, of: dot, to: &bytes)
    return bytes
  }

  /// Appends the bytes of a change, of whose row a column is.
  func appendChangeBytes(_ column: Int32, of dot: Dot, to bytes: inout [UInt8]) {
    withBytes(column) { rest in
      ChangeRow.withHead(of: dot) { head in
        if bytes.isEmpty { bytes.reserveCapacity(head.count + rest.count) }
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: rest)
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

extension Query {
  static let insertChange = Query(
    "INSERT INTO change(id, arrival, bytes) VALUES \(Self.row(of: 3))"
  )
  static let changeRow = Query("SELECT bytes FROM change WHERE id = ?1")
  static let changeRows = Query(
    "SELECT id, arrival, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
  )
  static let changeBytes = Query(
    "SELECT id, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
  )
  static let newestChangeRows = Query(
    "SELECT id, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC"
  )
  static let nextChangeRows = Query(
    "SELECT id, arrival, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3"
  )
  static let insertFewChanges = Query(
    "INSERT OR FAIL INTO change(id, arrival, bytes) VALUES \(Self.rows(of: 3, Self.fewRows))"
  )
  static let insertChanges = Query(
    "INSERT OR FAIL INTO change(id, arrival, bytes) VALUES \(Self.rows(of: 3))"
  )
}
