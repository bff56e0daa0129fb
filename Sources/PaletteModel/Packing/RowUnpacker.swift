/// Puts packed changes together again, row by row.
///
/// What it makes are changes that keep every rule: it writes deterministic CBOR itself, and checks
/// what the columns say as `Change(decoding:in:)` would, without making a change of it first.
struct RowUnpacker: Hashable, Sendable {
  /// The authors by number.
  let authors: [NodeID]
  /// The records in the order of their first rows.
  private(set) var records: [RecordID] = []
  /// All changes, one after the other.
  private(set) var writer = CBORWriter()

  private let palette: PaletteID
  private let byteLimit: Int
  /// The change of the first row of each record.
  private var origins: [Position] = []
  /// The numbers of records, kept only where a change came whole.
  private var numbers: [RecordID: UInt32] = [:]
  private var numbered = 0
  private var last: Last?
  private var lastStamp: UInt64 = 0
  private var lastPlace: [UInt8] = []

  /// What a row that follows is derived from.
  private struct Last: Hashable {
    let author: UInt32
    let sequence: UInt32
    let link: UInt64
  }

  private struct Position: Hashable {
    let author: UInt32
    let sequence: UInt32
  }

  /// A change that was put together.
  struct Row: Hashable {
    let hash: ChangeHash
    /// Where its bytes begin and how many there are.
    let offset: Int
    let count: Int
    /// Where its first value begins, from there.
    let body: Int
    let author: UInt32
    let sequence: UInt32
    let record: UInt32
    let shape: RowShape
    /// Its live registers that this version does not know.
    var unknown: [Register] = []
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

  /// Hands out the bytes of all changes; nothing more can be unpacked then.
  mutating func takeBytes() -> [UInt8] {
    defer { writer = CBORWriter() }
    return writer.bytes
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
    let offset = writer.bytes.count
    writer.write(array: 2)
    writer.write(array: 7)
    writer.write(unsigned: authors[Int(author)].rawValue)
    writer.write(unsigned: UInt64(sequence))
    writer.write(unsigned: lastStamp)
    writer.write(eightBytes: previous)
    writer.write(records[Int(record)])
    writer.write(unsigned: UInt64(shape.kind))
    if kind.writesRegisters {
      try writeRegisters(&columns, shape, author, sequence, record)
    } else {
      try writeSeen(&columns, author, sequence)
    }
    writer.write(array: shape.written.nonzeroBitCount)
    let body = writer.bytes.count - offset
    try writeValues(&columns, shape.written)
    return try finish(shape, author, sequence, record, offset: offset, body: body)
  }

  private func readPosition(
    _ columns: inout RowColumns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> (author: UInt32, sequence: UInt32, previous: UInt64) {
    if shape.follows {
      guard let last, last.sequence < .max else { throw MalformedPacking("nothing is followed") }
      return (last.author, last.sequence + 1, last.link)
    }
    let author = try columns.numbers.readNumber()
    guard author < authors.count else { throw Self.noAuthor }
    guard let sequence = UInt32(exactly: try columns.numbers.readNumber()), sequence > 0 else {
      throw MalformedPacking("a sequence number is none")
    }
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

  private mutating func writeRegisters(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32
  ) throws(MalformedPacking) {
    writer.write(map: shape.written.nonzeroBitCount)
    for register in Register.known where shape.written & register.bit != 0 {
      writer.write(unsigned: UInt64(register.rawValue))
      guard shape.sawFirst else {
        try writeSeen(&columns, author, sequence)
        continue
      }
      writer.write(array: shape.isKnown ? 1 : 0)
      if shape.isKnown {
        let origin = origins[Int(record)]
        let seen = Dot(authors[Int(origin.author)], origin.sequence)
        guard seen.node != authors[Int(author)] || seen.sequence < sequence else {
          throw Self.future
        }
        write(seen)
      }
    }
  }

  private mutating func writeSeen(
    _ columns: inout RowColumns,
    _ author: UInt32,
    _ sequence: UInt32
  ) throws(MalformedPacking) {
    let count = try columns.numbers.readNumber()
    guard count <= UInt64(ChangeLimits.changeBytes) else { throw Self.tooLarge }
    writer.write(array: Int(count))
    var last: Dot?
    for _ in 0..<count {
      let dot = try readSeen(&columns, author, sequence)
      if let last, last >= dot { throw MalformedPacking("dots are out of order") }
      last = dot
      write(dot)
    }
  }

  /// A dot that lies not in the author's own future.
  private func readSeen(
    _ columns: inout RowColumns,
    _ author: UInt32,
    _ sequence: UInt32
  ) throws(MalformedPacking) -> Dot {
    let other = try columns.numbers.readNumber()
    let number = try columns.numbers.readNumber()
    guard other > 0 else {
      guard number > 0, number < sequence else { throw Self.future }
      return Dot(authors[Int(author)], sequence - UInt32(number))
    }
    guard other <= authors.count else { throw Self.noAuthor }
    guard let seen = UInt32(exactly: number), seen > 0 else {
      throw MalformedPacking("a sequence number is none")
    }
    let dot = Dot(authors[Int(other - 1)], seen)
    guard dot.node != authors[Int(author)] || seen < sequence else { throw Self.future }
    return dot
  }

  private mutating func write(_ dot: Dot) {
    writer.write(array: 2)
    writer.write(unsigned: dot.node.rawValue)
    writer.write(unsigned: UInt64(dot.sequence))
  }

  private mutating func writeValues(
    _ columns: inout RowColumns,
    _ written: UInt8
  ) throws(MalformedPacking) {
    for register in Register.known where written & register.bit != 0 {
      switch register {
      case .color: try write(try columns.plain.readItem(), as: register)
      case .place:
        let shared = try columns.places.readNumber()
        let count = try columns.places.readNumber()
        guard shared <= lastPlace.count, count <= ChangeLimits.placeBytes - Int(shared),
          shared + count > 0
        else { throw MalformedPacking("a place is none") }
        lastPlace.removeLast(lastPlace.count - Int(shared))
        lastPlace.append(contentsOf: try columns.places.take(Int(count)))
        writer.write(bytes: lastPlace)
      default: try write(try columns.texts.readItem(), as: register)
      }
    }
  }

  private mutating func write(
    _ item: UnsafeRawBufferPointer,
    as register: Register
  ) throws(MalformedPacking) {
    do {
      try register.check(item)
    } catch {
      throw MalformedPacking("\(error)")
    }
    writer.append(encoded: item)
  }

  private mutating func finish(
    _ shape: RowShape,
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32,
    offset: Int,
    body: Int
  ) throws(MalformedPacking) -> Row {
    let count = writer.bytes.count - offset
    guard count <= ChangeLimits.changeBytes, writer.bytes.count <= byteLimit else {
      throw Self.tooLarge
    }
    let hash = writer.bytes.withUnsafeBytes {
      ChangeHash(of: UnsafeRawBufferPointer(rebasing: $0[offset...]), in: palette)
    }
    last = Last(author: author, sequence: sequence, link: hash.link)
    return Row(
      hash: hash,
      offset: offset,
      count: count,
      body: body,
      author: author,
      sequence: sequence,
      record: record,
      shape: shape
    )
  }

  private static var tooLarge: MalformedPacking { MalformedPacking("a change is too large") }
  private static var future: MalformedPacking { MalformedPacking("a change saw what is later") }
  private static var noAuthor: MalformedPacking { MalformedPacking("there is no such author") }
}

extension RowUnpacker {
  private mutating func readWhole(
    _ columns: inout RowColumns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> Row {
    let count = try columns.texts.readNumber()
    guard count <= ChangeLimits.changeBytes else { throw Self.tooLarge }
    let bytes = [UInt8](try columns.texts.take(Int(count)))
    var unknown: [Register] = []
    for _ in 0..<(try columns.texts.readNumber()) {
      guard let number = UInt16(exactly: try columns.texts.readNumber()), number > 3 else {
        throw MalformedPacking("a register is none")
      }
      unknown.append(Register(rawValue: number))
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
    let offset = writer.bytes.count
    writer.append(encoded: bytes)
    var shape = shape
    shape.written = change.writes.reduce(0) { $0 | $1.register.bit }
    lastStamp = change.stamp.rawValue
    var row = try finish(
      shape,
      position.author,
      position.sequence,
      record,
      offset: offset,
      body: bytes.count - change.writes.reduce(0) { $0 + $1.value.encoded.count }
    )
    row.unknown = unknown
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
}
