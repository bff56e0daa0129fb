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
  /// How many bytes all changes have.
  private(set) var byteCount = 0
  /// The change of the last row, where changes are made.
  var change: Change?
  /// Whether each row shall be made into a change.
  let makesChanges: Bool

  let palette: PaletteID
  private let byteLimit: Int
  /// The change of the first row of each record.
  var origins: [Position] = []
  /// The numbers of records, kept only where a change came whole.
  var numbers: [RecordID: UInt32] = [:]
  var numbered = 0
  private var last: Last?
  var lastStamp: UInt64 = 0
  var lastPlace: [UInt8] = []

  /// What a row that follows is derived from.
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
    /// The registers that it writes and this version does not know.
    var unknownWritten: [Register] = []
  }

  /// Begins with nothing.
  ///
  /// - Parameters:
  ///   - authors: The authors by number.
  ///   - palette: The palette.
  ///   - byteLimit: The most bytes that all changes may have.
  ///   - makesChanges: Whether each row shall be made into a change.
  init(authors: [NodeID], palette: PaletteID, byteLimit: Int, makesChanges: Bool = false) {
    self.authors = authors
    self.palette = palette
    self.byteLimit = byteLimit
    self.makesChanges = makesChanges
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
    return try finish(&columns, shape, author, sequence, record, body: body)
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
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32,
    body: Int
  ) throws(MalformedPacking) -> Row {
    let change = columns.change.bytes
    guard change.count <= ChangeLimits.changeBytes,
      byteCount + change.count <= byteLimit
    else { throw Self.tooLarge }
    let hash = ChangeHash(of: change, in: palette)
    last = Last(author: author, sequence: sequence, link: hash.link)
    let offset = byteCount
    byteCount += change.count
    bytes.append(contentsOf: change)
    return Row(
      hash: hash,
      offset: offset,
      count: change.count,
      body: body,
      author: author,
      sequence: sequence,
      record: record,
      shape: shape
    )
  }

  static var tooLarge: MalformedPacking { MalformedPacking("a change is too large") }
  static var future: MalformedPacking { MalformedPacking("a change saw what is later") }
  static var noAuthor: MalformedPacking { MalformedPacking("there is no such author") }
}
