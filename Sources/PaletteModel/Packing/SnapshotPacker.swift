/// Packs the rows of a snapshot, in the order of its outline, into parts of columns.
///
/// Nothing is lost: the bytes of every change can be put together again exactly, because a change
/// has only one encoding. A link is left out where it is that of the row before.
package struct SnapshotPacker: Hashable, Sendable {
  /// The rows since the last part was taken.
  package private(set) var rows = PackedRows()

  private let authors: [NodeID: UInt64]
  private var origins: [RecordID: Origin] = [:]
  private var lastDot: Dot?
  private var lastStamp: UInt64 = 0
  private var lastPlace: [UInt8] = []

  /// The first row of a record.
  private struct Origin: Hashable {
    let number: UInt64
    let dot: Dot
  }

  /// Begins a snapshot with the authors of its frontier.
  package init(frontier: Frontier) {
    authors = Dictionary(
      uniqueKeysWithValues: zip(frontier.keys.sorted(), 0...)
    )
  }

  /// Hands out what was packed; the next rows make another part.
  package mutating func takeRows() -> PackedRows {
    defer { rows = PackedRows() }
    return rows
  }

  /// Packs a change.
  ///
  /// - Parameters:
  ///   - bytes: The change, which is held and therefore well-formed.
  ///   - row: What the outline says of it.
  ///   - unknown: Its live registers that this version does not know.
  /// - Throws: `CBORError` when the bytes are no change after all.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer,
    _ row: SnapshotOutline.Row,
    unknown: [Register] = []
  ) throws(CBORError) {
    rows.count += 1
    var reader = CBORReader(bytes)
    _ = try reader.readArray()
    _ = try reader.readArray()
    _ = try reader.readUnsigned()
    _ = try reader.readUnsigned()
    let stamp = try reader.readUnsigned()
    let previous = try reader.readEightBytes()
    let record = try reader.readRecordID()
    var shape = RowShape()
    shape.kind = UInt8(truncatingIfNeeded: try reader.readUnsigned())
    shape.live = row.live
    shape.isCovered = row.isCovered
    let origin = origins[record]
    let isPlain =
      unknown.isEmpty && shape.kind != ChangeKind.delete.rawValue
      && shape.kind != ChangeKind.drop.rawValue
    guard isPlain, let writes = try readWrites(&reader, row.dot, seen: origin?.dot) else {
      return try addWhole(bytes, row, record, stamp, unknown)
    }
    shape.written = writes.registers
    shape.sawFirst = writes.sawFirst
    shape.isKnown = origin != nil
    if let last = lastDot, last.node == row.dot.node, last.sequence + 1 == row.dot.sequence {
      shape.follows = true
    } else {
      rows.numbers.append(number: authors[row.dot.node] ?? 0)
      rows.numbers.append(number: UInt64(row.dot.sequence))
      rows.plain.append(eightBytes: previous)
    }
    shape.append(to: &rows.shapes)
    if !shape.sawFirst { rows.numbers += writes.seen }
    note(record, row.dot, stamp, origin)
    try addValues(&reader, writes.registers)
  }

  /// The registers written and what they saw; nil for what has no place in the columns.
  private func readWrites(
    _ reader: inout CBORReader,
    _ dot: Dot,
    seen first: Dot?
  ) throws(CBORError) -> (registers: UInt8, sawFirst: Bool, seen: [UInt8])? {
    var registers: UInt8 = 0
    var sawFirst = true
    var seen: [UInt8] = []
    for _ in 0..<(try reader.readMap()) {
      let register = try reader.readUnsigned()
      guard register < 4 else { return nil }
      registers |= 1 << UInt8(register)
      let count = try reader.readArray()
      if count != (first == nil ? 0 : 1) { sawFirst = false }
      seen.append(number: UInt64(count))
      for _ in 0..<count {
        _ = try reader.readArray()
        let node = NodeID(try reader.readUnsigned())
        let sequence = try reader.readUnsigned()
        guard let author = authors[node] else { return nil }
        if first.map({ $0.node != node || UInt64($0.sequence) != sequence }) ?? true {
          sawFirst = false
        }
        let isOwn = node == dot.node
        guard !isOwn || sequence < dot.sequence else { return nil }
        seen.append(number: isOwn ? 0 : author + 1)
        seen.append(number: isOwn ? UInt64(dot.sequence) - sequence : sequence)
      }
    }
    return (registers, sawFirst, seen)
  }

  private mutating func note(
    _ record: RecordID,
    _ dot: Dot,
    _ stamp: UInt64,
    _ origin: Origin?
  ) {
    rows.stamps.append(difference: Int64(bitPattern: stamp &- lastStamp))
    lastStamp = stamp
    lastDot = dot
    if let origin {
      rows.plain.append(number: origin.number)
    } else {
      rows.plain.append(eightBytes: record.high)
      rows.plain.append(eightBytes: record.low)
      origins[record] = Origin(number: UInt64(origins.count), dot: dot)
    }
  }

  private mutating func addValues(
    _ reader: inout CBORReader,
    _ registers: UInt8
  ) throws(CBORError) {
    _ = try reader.readArray()
    for register in Register.known where registers & register.bit != 0 {
      switch register {
      case .color: rows.plain.append(contentsOf: try reader.readItem())
      case .place: add(place: try reader.readBytes())
      default: rows.texts.append(contentsOf: try reader.readItem())
      }
    }
  }

  private mutating func add(place: UnsafeRawBufferPointer) {
    var shared = 0
    while shared < place.count, shared < lastPlace.count, place[shared] == lastPlace[shared] {
      shared += 1
    }
    rows.places.append(number: UInt64(shared))
    rows.places.append(number: UInt64(place.count - shared))
    rows.places.append(contentsOf: place[shared...])
    lastPlace.removeAll(keepingCapacity: true)
    lastPlace.append(contentsOf: place)
  }

  private mutating func addWhole(
    _ bytes: UnsafeRawBufferPointer,
    _ row: SnapshotOutline.Row,
    _ record: RecordID,
    _ stamp: UInt64,
    _ unknown: [Register]
  ) throws(CBORError) {
    var shape = RowShape()
    shape.kind = RowShape.whole
    shape.isCovered = row.isCovered
    shape.live = row.live
    shape.append(to: &rows.shapes)
    rows.texts.append(number: UInt64(bytes.count))
    rows.texts.append(contentsOf: bytes)
    rows.texts.append(number: UInt64(unknown.count))
    for register in unknown { rows.texts.append(number: UInt64(register.rawValue)) }
    if origins[record] == nil {
      origins[record] = Origin(number: UInt64(origins.count), dot: row.dot)
    }
    lastStamp = stamp
    lastDot = row.dot
  }
}
