package import PaletteModel

/// Changes on their way, in columns: each holds one kind of thing for all rows in turn.
///
/// What hardly any two rows have in common stands in `plain`; the other columns are worth squeezing.
package struct PackedRows: Hashable, Sendable {
  /// The number of rows there are.
  package var count = 0
  /// Links, ids, numbers of records and color values.
  package var plain: [UInt8] = []
  /// Two bytes a row: what it has.
  package var shapes: [UInt8] = []
  /// Authors and sequence numbers where they do not just go on, and what was seen.
  package var numbers: [UInt8] = []
  /// The distances between stamps.
  package var stamps: [UInt8] = []
  /// Places: how much is as in the place before, and the rest.
  package var places: [UInt8] = []
  /// Names, notes, and whole changes that do not fit into columns.
  package var texts: [UInt8] = []

  package init() {}

  /// The number of bytes in all columns.
  package var byteCount: Int {
    plain.count + shapes.count + numbers.count + stamps.count + places.count + texts.count
  }

  /// The changes of one palette.
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
    try checkCount()
    var unpacker = RowUnpacker(authors: authors, palette: palette, byteLimit: byteLimit)
    var changes: [ArrivedChange] = []
    try read { columns in changes = try unpacker.changes(count, &columns) }
    let bytes = unpacker.removeBytes()
    for index in changes.indices { changes[index].come(to: bytes) }
    return changes
  }

  /// The changes of palettes, one after the other.
  ///
  /// - Parameters:
  ///   - authors: The authors by number.
  ///   - palettes: The palettes, each with the number of its rows.
  ///   - byteLimit: The most bytes that all changes may have.
  /// - Returns: The changes of each palette, in order.
  /// - Throws: `MalformedPacking` when no changes can be put together.
  package func arrivals(
    by authors: [NodeID],
    in palettes: [(id: PaletteID, rows: Int)],
    byteLimit: Int
  ) throws(MalformedPacking) -> [ArrivedChanges] {
    try checkCount()
    var rest = count
    for (_, rows) in palettes {
      guard rows > 0, rows <= rest else { throw MalformedPacking("rows are missing") }
      rest -= rows
    }
    guard let first = palettes.first, rest == 0 else {
      throw MalformedPacking("there are rows of no palette")
    }
    var unpacker = RowUnpacker(authors: authors, palette: first.id, byteLimit: byteLimit)
    var arrivals: [ArrivedChanges] = []
    arrivals.reserveCapacity(palettes.count)
    try read { columns in
      for (id, rows) in palettes {
        unpacker.begin(id)
        arrivals.append(try unpacker.arrivals(rows, &columns))
      }
    }
    let bytes = unpacker.removeBytes()
    for index in arrivals.indices { arrivals[index].bring(bytes) }
    return arrivals
  }

  /// Every row has a shape, so nothing is made room for that cannot come.
  private func checkCount() throws(MalformedPacking) {
    guard count <= shapes.count / 2 else { throw MalformedPacking("rows are missing") }
  }
}

extension RowUnpacker {
  /// The next rows, each as a change whose bytes are still to be brought.
  fileprivate mutating func changes(
    _ count: Int,
    _ columns: inout RowColumns
  ) throws(MalformedPacking) -> [ArrivedChange] {
    makesChanges = true
    var changes: [ArrivedChange] = []
    changes.reserveCapacity(count)
    for _ in 0..<count {
      let row = try next(&columns)
      guard let change = change.take() else { preconditionFailure("a row is a change") }
      let bytes = row.offset..<row.offset + row.count
      changes.append(ArrivedChange(change, promising: bytes, hash: row.hash))
    }
    return changes
  }

  /// All rows of a palette, whose bytes are still to be brought.
  fileprivate mutating func arrivals(
    _ count: Int,
    _ columns: inout RowColumns
  ) throws(MalformedPacking) -> ArrivedChanges {
    guard columns.beginPalette(rows: count) else {
      return ArrivedChanges(palette: palette, changes: try changes(count, &columns))
    }
    makesChanges = false
    var beginning = PaletteBeginning(by: authors, reservingCapacity: count)
    for _ in 0..<count { beginning.append(try next(&columns)) }
    beginning.bring(records)
    return ArrivedChanges(palette: palette, beginning: beginning)
  }
}

/// The two bytes that say what a row has.
struct RowShape: Hashable {
  /// The change's kind, or `whole`.
  var kind: UInt8 = 0
  /// The row is the next change of the author of the row before, whose link it has.
  var follows = false
  /// The record was the subject of an earlier row.
  var isKnown = false
  /// Each write saw just the first row's change of a known record, or nothing of a new one.
  var sawFirst = false
  var isCovered = false
  /// The registers written.
  var written: UInt8 = 0
  /// Those whose values are live.
  var live: UInt8 = 0

  /// In place of a kind: the bytes of the change follow whole.
  static let whole: UInt8 = 7

  init() {}

  init(_ first: UInt8, _ second: UInt8) {
    kind = first & 7
    follows = first & 8 != 0
    isKnown = first & 16 != 0
    sawFirst = first & 32 != 0
    isCovered = first & 64 != 0
    written = second & 15
    live = second >> 4
  }

  func append(to column: inout [UInt8]) {
    column.append(
      kind | (follows ? 8 : 0) | (isKnown ? 16 : 0) | (sawFirst ? 32 : 0) | (isCovered ? 64 : 0)
    )
    column.append(written | live << 4)
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits, the least significant first.
  mutating func append(number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a difference: twice its size, or that less one where it is negative.
  mutating func append(difference: Int64) {
    append(number: UInt64(bitPattern: difference << 1 ^ difference >> 63))
  }

  /// Appends a number as four bytes, the most significant first.
  mutating func append(fourBytes number: UInt32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a number as eight bytes, the most significant first.
  mutating func append(eightBytes number: UInt64) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }
}
