internal import PaletteModel

/// Puts packed changes together again, row by row.
///
/// What it makes are changes that keep every rule: it writes deterministic CBOR itself, and checks
/// what the columns say as `Change(decoding:in:)` would, without making a change of it first.
struct RowUnpacker: Hashable, Sendable {
  /// The authors by number.
  let authors: [NodeID]
  /// The records in the order of their first rows.
  var records: [RecordID] = []
  /// The bytes of all changes, one after the other.
  private(set) var bytes: [UInt8] = []
  /// The number of bytes in all changes.
  private(set) var byteCount = 0
  /// The change of the last row, where changes are made.
  var change: Change?
  /// True if each row is made into a change.
  var makesChanges = false

  private(set) var palette: PaletteID
  private let byteLimit: Int
  /// The change of the first row of each record.
  var origins: [Position] = []
  /// The numbers of records, kept only where a change came whole.
  var numbers: [RecordID: UInt32] = [:]
  var numbered = 0
  private var last: Last?
  var lastStamp: UInt64 = 0
  var lastPlace: [UInt8] = []

  /// The row from which the next one is derived.
  private struct Last: Hashable {
    let author: UInt32
    let sequence: UInt32
    let link: UInt64
  }

  struct Position: Hashable {
    let author: UInt32
    let sequence: UInt32
  }

  /// A change that was put together.
  struct Row: Hashable {
    let hash: ChangeHash
    let stamp: Stamp
    /// The link of the author's change before it, 0 for none.
    let previous: UInt64
    /// The offset and the number of its bytes.
    let offset: Int
    let count: Int
    /// The offset of its first value, from there.
    let body: Int
    let author: UInt32
    let sequence: UInt32
    let record: UInt32
    let shape: RowShape
    /// Its live registers that packed rows do not know.
    var unknown: [Register] = []
    /// The registers that it writes and packed rows do not know.
    var unknownWritten: [Register] = []
  }

  /// Begins with nothing.
  ///
  /// - Parameters:
  ///   - authors: The authors by number.
  ///   - palette: The palette.
  ///   - byteLimit: The most bytes that all changes may have.
  init(authors: [NodeID], palette: PaletteID, byteLimit: Int) {
    self.authors = authors
    self.palette = palette
    self.byteLimit = byteLimit
  }

  /// Goes on with another palette: its rows take no record and no link from those before.
  mutating func begin(_ palette: PaletteID) {
    self.palette = palette
    (records, origins) = ([], [])
    (numbers, numbered) = ([:], 0)
    last = nil
  }

  /// Hands out the bytes of all changes; nothing more can be unpacked then.
  mutating func removeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Puts the next change together.
  mutating func next(_ columns: inout RowColumns) throws(MalformedPacking) -> Row {
    let first = try columns.shapes.readByte()
    let shape = RowShape(first, try columns.shapes.readByte())
    guard shape.kind != RowShape.whole else { return try readWhole(&columns, shape) }
    guard let kind = ChangeKind(rawValue: shape.kind), kind != .drop,
      kind.writesRegisters == (shape.written != 0)
    else { throw MalformedPacking("a row has no kind") }
    let (author, sequence, previous) = try readPosition(&columns, shape)
    lastStamp = lastStamp &+ UInt64(bitPattern: try columns.stamps.readDifference())
    let record = try readRecord(&columns, shape, Position(author: author, sequence: sequence))
    guard kind.writesRegisters || records[Int(record)] != palette.record else {
      throw MalformedPacking("a palette is dropped, not deleted")
    }
    let dot = Dot(authors[Int(author)], sequence)
    if makesChanges {
      change = Change(
        dot: dot,
        stamp: Stamp(rawValue: lastStamp),
        previous: previous,
        record: records[Int(record)],
        kind: kind
      )
    }
    columns.change.removeAll()
    columns.change.write(array: 2)
    columns.change.write(array: 7)
    columns.change.write(unsigned: dot.node.rawValue)
    columns.change.write(unsigned: UInt64(sequence))
    columns.change.write(unsigned: lastStamp)
    columns.change.write(eightBytes: previous)
    columns.change.write(records[Int(record)])
    columns.change.write(unsigned: UInt64(shape.kind))
    if kind.writesRegisters {
      try writeRegisters(&columns, shape, dot, record)
    } else {
      let covers = try writeSeen(&columns, dot)
      change?.covers = covers
    }
    columns.change.write(array: shape.written.nonzeroBitCount)
    let body = columns.change.bytes.count
    try writeValues(&columns, shape.written)
    return try finish(&columns, shape, dot, author, previous, record, body: body)
  }

  private func readPosition(
    _ columns: inout RowColumns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> (author: UInt32, sequence: UInt32, previous: UInt64) {
    if shape.follows {
      guard let last, last.sequence < Dot.lastSequence else {
        throw MalformedPacking("nothing is followed")
      }
      return (last.author, last.sequence + 1, last.link)
    }
    let author = try columns.numbers.readNumber()
    guard author < authors.count else { throw Self.noAuthor }
    let sequence = try columns.numbers.readSequence()
    return (UInt32(author), sequence, try columns.plain.readEightBytes())
  }

  private mutating func readRecord(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ position: Position
  ) throws(MalformedPacking) -> UInt32 {
    guard shape.isKnown else {
      records.append(try columns.plain.readRecordID())
      origins.append(position)
      return UInt32(records.count - 1)
    }
    let record = try columns.plain.readNumber()
    guard record < records.count else { throw MalformedPacking("there is no such record") }
    return UInt32(record)
  }

  mutating func finish(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ dot: Dot,
    _ author: UInt32,
    _ previous: UInt64,
    _ record: UInt32,
    body: Int
  ) throws(MalformedPacking) -> Row {
    let change = columns.change.bytes
    guard change.count <= ChangeLimits.changeBytes,
      byteCount + change.count <= byteLimit
    else { throw Self.tooLarge }
    let hash = ChangeHash(of: change, in: palette)
    last = Last(author: author, sequence: dot.sequence, link: hash.link)
    let offset = byteCount
    byteCount += change.count
    bytes.append(contentsOf: change)
    return Row(
      hash: hash,
      stamp: Stamp(rawValue: lastStamp),
      previous: previous,
      offset: offset,
      count: change.count,
      body: body,
      author: author,
      sequence: dot.sequence,
      record: record,
      shape: shape
    )
  }

  static var tooLarge: MalformedPacking { MalformedPacking("a change is too large") }
  static var future: MalformedPacking { MalformedPacking("a change saw what is later") }
  private static var noAuthor: MalformedPacking { MalformedPacking("there is no such author") }

  private mutating func writeValues(
    _ columns: inout RowColumns,
    _ written: UInt8
  ) throws(MalformedPacking) {
    var index = 0
    for register in Register.packed where written & register.bit != 0 {
      let start = columns.change.bytes.count
      switch register {
      case .color: try write(try columns.plain.readItem(), as: register, &columns.change)
      case .place: try writePlace(&columns)
      default: try write(try columns.texts.readItem(), as: register, &columns.change)
      }
      if makesChanges {
        change?.writes[index].value = columns.change.bytes[start...].withUnsafeBytes {
          RegisterValue(encoded: $0)
        }
        index += 1
      }
    }
  }

  private mutating func writePlace(_ columns: inout RowColumns) throws(MalformedPacking) {
    let shared = try columns.places.readNumber()
    let count = try columns.places.readNumber()
    guard shared <= lastPlace.count, count <= ChangeLimits.placeBytes - Int(shared),
      shared + count > 0
    else { throw MalformedPacking("a place is none") }
    lastPlace.removeLast(lastPlace.count - Int(shared))
    lastPlace.append(contentsOf: try columns.places.readBytes(Int(count)))
    lastPlace.withUnsafeBytes { columns.change.write(bytes: $0) }
  }

  private func write(
    _ item: UnsafeRawBufferPointer,
    as register: Register,
    _ change: inout CBORWriter
  ) throws(MalformedPacking) {
    do {
      try register.check(item)
    } catch {
      throw MalformedPacking("\(error)")
    }
    change.append(encoded: item)
  }

  private mutating func readWhole(
    _ columns: inout RowColumns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> Row {
    let count = try columns.texts.readNumber()
    guard count <= ChangeLimits.changeBytes else { throw Self.tooLarge }
    let bytes = [UInt8](try columns.texts.readBytes(Int(count)))
    var unknown: [Register] = []
    for _ in 0..<(try columns.texts.readNumber()) {
      guard let number = UInt16(exactly: try columns.texts.readNumber()),
        case let register = Register(rawValue: number), !register.isPacked
      else { throw MalformedPacking("a register is none") }
      unknown.append(register)
    }
    let change: Change
    do {
      change = try Change(decoding: bytes, in: palette)
    } catch {
      throw MalformedPacking("\(error)")
    }
    guard let author = authors.firstIndex(of: change.dot.node) else { throw Self.noAuthor }
    let position = Position(author: UInt32(author), sequence: change.dot.sequence)
    let record = number(of: change.record, position)
    columns.change.removeAll()
    bytes.withUnsafeBytes { columns.change.append(encoded: $0) }
    var shape = shape
    shape.written = change.writes.reduce(0) { $0 | $1.register.bit }
    lastStamp = change.stamp.rawValue
    if makesChanges { self.change = change }
    var row = try finish(
      &columns,
      shape,
      change.dot,
      position.author,
      change.previous,
      record,
      body: bytes.count - change.writes.reduce(0) { $0 + $1.value.encoded.count }
    )
    row.unknown = unknown
    row.unknownWritten = change.writes.map(\.register).filter { !$0.isPacked }
    return row
  }

  /// The number of a record, which gets one when it is new.
  private mutating func number(of record: RecordID, _ position: Position) -> UInt32 {
    // Few changes come whole, so only those pay for looking records up.
    for index in numbered..<records.count where numbers[records[index]] == nil {
      numbers[records[index]] = UInt32(index)
    }
    numbered = records.count
    if let number = numbers[record] { return number }
    let number = UInt32(records.count)
    records.append(record)
    origins.append(position)
    return number
  }

  mutating func writeRegisters(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ dot: Dot,
    _ record: UInt32
  ) throws(MalformedPacking) {
    let count = shape.written.nonzeroBitCount
    columns.change.write(map: count)
    if makesChanges { change?.writes.reserveCapacity(count) }
    let first = shape.sawFirst && shape.isKnown ? try readFirst(&columns, dot, record) : nil
    for register in Register.packed where shape.written & register.bit != 0 {
      columns.change.write(unsigned: UInt64(register.rawValue))
      let saw =
        shape.sawFirst
        ? writeFirst(&columns, first) : try writeSeen(&columns, dot)
      guard makesChanges else { continue }
      change?.writes.append(Change.Write(register, saw: saw, value: Self.none))
    }
  }

  /// In place of a value that is still to come.
  private static let none = RegisterValue(encoded: [])

  /// The change of the record's first row, as this row saw it.
  private func readFirst(
    _ columns: inout RowColumns,
    _ dot: Dot,
    _ record: UInt32
  ) throws(MalformedPacking) -> SeenDot {
    let origin = origins[Int(record)]
    let seen = Dot(authors[Int(origin.author)], origin.sequence)
    guard seen.node != dot.node || seen.sequence < dot.sequence else { throw Self.future }
    return try SeenDot(seen, by: dot.node) { _ throws(MalformedPacking) in
      try columns.plain.readFourBytes()
    }
  }

  /// Writes the change of the record's first row as seen; nothing in that row itself.
  private func writeFirst(_ columns: inout RowColumns, _ first: SeenDot?) -> [SeenDot] {
    columns.change.write(array: first == nil ? 0 : 1)
    guard let first else { return [] }
    columns.change.write(first)
    return makesChanges ? [first] : []
  }

  /// Writes dots that were seen, and gives them where changes are wanted.
  private func writeSeen(
    _ columns: inout RowColumns,
    _ dot: Dot
  ) throws(MalformedPacking) -> [SeenDot] {
    let count = try columns.numbers.readNumber()
    guard count <= UInt64(ChangeLimits.changeBytes) else { throw Self.tooLarge }
    columns.change.write(array: Int(count))
    var dots: [SeenDot] = []
    if makesChanges { dots.reserveCapacity(min(Int(count), 16)) }
    var last: Dot?
    for _ in 0..<count {
      let seen = try readSeen(&columns, dot)
      if let last, last >= seen.dot { throw MalformedPacking("dots are out of order") }
      last = seen.dot
      columns.change.write(seen)
      if makesChanges { dots.append(seen) }
    }
    return dots
  }

  /// A dot that lies not in the author's own future.
  private func readSeen(
    _ columns: inout RowColumns,
    _ dot: Dot
  ) throws(MalformedPacking) -> SeenDot {
    let other = try columns.numbers.readNumber()
    let number = try columns.numbers.readNumber()
    guard other > 0 else {
      guard number > 0, number < dot.sequence else { throw Self.future }
      return SeenDot(Dot(dot.node, dot.sequence - UInt32(number)))
    }
    guard other <= authors.count else { throw Self.noAuthor }
    let seen = Dot(authors[Int(other - 1)], try ColumnReader.sequence(number))
    guard seen.node != dot.node else { throw Self.future }
    return SeenDot(seen, proof: try columns.plain.readFourBytes())
  }
}
