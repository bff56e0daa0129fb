/// Puts the changes of a snapshot together again, part by part, and checks each.
package struct SnapshotUnpacker: Hashable, Sendable {
  private let palette: PaletteID
  private var staged: StagedSnapshot
  private var writer = CBORWriter()
  /// The first row of each record.
  private var origins: [UInt32] = []
  /// The numbers of records, kept only where a change came whole.
  private var numbers: [RecordID: UInt32] = [:]
  private var numbered = 0
  /// The last sequence number of each author.
  private var reached: [UInt32]
  private var last: Last?
  private var lastStamp: UInt64 = 0
  private var lastPlace: [UInt8] = []

  /// What a row that follows is derived from.
  private struct Last: Hashable {
    let author: UInt32
    let sequence: UInt32
    let link: UInt64
  }

  /// The columns of a part, while they are read.
  private struct Columns {
    var plain: ColumnReader
    var shapes: ColumnReader
    var numbers: ColumnReader
    var stamps: ColumnReader
    var places: ColumnReader
    var texts: ColumnReader

    var isAtEnd: Bool {
      plain.isAtEnd && shapes.isAtEnd && numbers.isAtEnd && stamps.isAtEnd && places.isAtEnd
        && texts.isAtEnd
    }
  }

  /// How many bytes all changes so far have.
  package var byteCount: Int { writer.bytes.count }

  /// The most bytes that all changes may have.
  package static let byteLimit = 256 << 20

  /// Begins a snapshot of a palette, whose rows are still to come.
  package init(head: Snapshot, palette: PaletteID) {
    self.palette = palette
    staged = StagedSnapshot(head: head)
    reached = [UInt32](repeating: 0, count: staged.authors.count)
  }

  /// The whole snapshot, after the last part.
  ///
  /// - Throws: `MalformedPacking` when a record was sent as new twice.
  package mutating func finish() throws(MalformedPacking) -> StagedSnapshot {
    staged.bytes = writer.bytes
    writer = CBORWriter()
    let records = staged.records
    staged.order = (0..<UInt32(records.count)).sorted { records[Int($0)] < records[Int($1)] }
    for (one, other) in zip(staged.order, staged.order.dropFirst()) {
      guard records[Int(one)] != records[Int(other)] else {
        throw MalformedPacking("a record is new twice")
      }
    }
    return staged
  }

  /// Takes in a part.
  ///
  /// - Throws: `MalformedPacking` when it is none; the snapshot is of no more use then.
  package mutating func add(_ rows: PackedRows) throws(MalformedPacking) {
    do {
      try rows.plain.withUnsafeBytes { plain in
        try rows.shapes.withUnsafeBytes { shapes in
          try rows.numbers.withUnsafeBytes { numbers in
            try rows.stamps.withUnsafeBytes { stamps in
              try rows.places.withUnsafeBytes { places in
                try rows.texts.withUnsafeBytes { texts in
                  var columns = Columns(
                    plain: ColumnReader(plain),
                    shapes: ColumnReader(shapes),
                    numbers: ColumnReader(numbers),
                    stamps: ColumnReader(stamps),
                    places: ColumnReader(places),
                    texts: ColumnReader(texts)
                  )
                  for _ in 0..<rows.count { try addRow(&columns) }
                  guard columns.isAtEnd else { throw MalformedPacking("a column is too long") }
                }
              }
            }
          }
        }
      }
    } catch let error as MalformedPacking {
      throw error
    } catch {
      throw MalformedPacking("\(error)")
    }
  }

  private mutating func addRow(_ columns: inout Columns) throws(MalformedPacking) {
    let first = try columns.shapes.readByte()
    let shape = RowShape(first, try columns.shapes.readByte())
    guard shape.kind != RowShape.whole else { return try addWhole(&columns, shape) }
    guard let kind = ChangeKind(rawValue: shape.kind), kind.writesRegisters else {
      throw MalformedPacking("a row has no kind")
    }
    let (author, sequence, previous) = try readPosition(&columns, shape)
    lastStamp = lastStamp &+ UInt64(bitPattern: try columns.stamps.readDifference())
    let record = try readRecord(&columns, shape)
    let offset = writer.bytes.count
    writer.write(array: 2)
    writer.write(array: 7)
    writer.write(unsigned: staged.authors[Int(author)].rawValue)
    writer.write(unsigned: UInt64(sequence))
    writer.write(unsigned: lastStamp)
    writer.write(eightBytes: previous)
    writer.write(staged.records[Int(record)])
    writer.write(unsigned: UInt64(shape.kind))
    try writeSeen(&columns, shape, author, sequence, record)
    writer.write(array: shape.written.nonzeroBitCount)
    let body = writer.bytes.count - offset
    try writeValues(&columns, shape.written)
    try note(shape, author, sequence, record, offset: offset, body: body)
  }

  private mutating func readPosition(
    _ columns: inout Columns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> (author: UInt32, sequence: UInt32, previous: UInt64) {
    if shape.follows {
      guard let last, last.sequence < .max else { throw MalformedPacking("nothing is followed") }
      return (last.author, last.sequence + 1, last.link)
    }
    let author = try readAuthor(&columns)
    return (author, try readSequence(&columns), try columns.plain.readEightBytes())
  }

  private func readAuthor(_ columns: inout Columns) throws(MalformedPacking) -> UInt32 {
    let author = try columns.numbers.readNumber()
    guard author < staged.authors.count else { throw MalformedPacking("there is no such author") }
    return UInt32(author)
  }

  private func readSequence(_ columns: inout Columns) throws(MalformedPacking) -> UInt32 {
    guard let sequence = UInt32(exactly: try columns.numbers.readNumber()), sequence > 0 else {
      throw MalformedPacking("a sequence number is none")
    }
    return sequence
  }

  private mutating func readRecord(
    _ columns: inout Columns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> UInt32 {
    guard shape.isKnown else {
      staged.records.append(try columns.plain.readRecordID())
      origins.append(UInt32(staged.rows.count))
      return UInt32(staged.records.count - 1)
    }
    let record = try columns.plain.readNumber()
    guard record < staged.records.count else { throw MalformedPacking("there is no such record") }
    return UInt32(record)
  }

  private mutating func writeSeen(
    _ columns: inout Columns,
    _ shape: RowShape,
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32
  ) throws(MalformedPacking) {
    writer.write(map: shape.written.nonzeroBitCount)
    for register in Register.known where shape.written & register.bit != 0 {
      writer.write(unsigned: UInt64(register.rawValue))
      guard !shape.sawFirst else {
        writer.write(array: shape.isKnown ? 1 : 0)
        if shape.isKnown {
          let row = staged.rows[Int(origins[Int(record)])]
          write(staged.authors[Int(row.author)], UInt64(row.sequence))
        }
        continue
      }
      let count = try columns.numbers.readNumber()
      guard count <= UInt64(ChangeLimits.changeBytes) else { throw Self.tooLarge }
      writer.write(array: Int(count))
      for _ in 0..<count {
        let other = try columns.numbers.readNumber()
        let number = try columns.numbers.readNumber()
        if other == 0 {
          guard number < sequence else { throw MalformedPacking("a change saw what is later") }
          write(staged.authors[Int(author)], UInt64(sequence) - number)
        } else {
          guard other <= staged.authors.count else {
            throw MalformedPacking("there is no such author")
          }
          write(staged.authors[Int(other - 1)], number)
        }
      }
    }
  }

  private mutating func write(_ node: NodeID, _ sequence: UInt64) {
    writer.write(array: 2)
    writer.write(unsigned: node.rawValue)
    writer.write(unsigned: sequence)
  }

  private mutating func writeValues(
    _ columns: inout Columns,
    _ written: UInt8
  ) throws(MalformedPacking) {
    for register in Register.known where written & register.bit != 0 {
      switch register {
      case .color: writer.append(encoded: try columns.plain.readItem())
      case .place:
        let shared = try columns.places.readNumber()
        let count = try columns.places.readNumber()
        guard shared <= lastPlace.count, count <= ChangeLimits.placeBytes else {
          throw MalformedPacking("a place goes on from nothing")
        }
        lastPlace.removeLast(lastPlace.count - Int(shared))
        lastPlace.append(contentsOf: try columns.places.take(Int(count)))
        writer.write(bytes: lastPlace)
      default: writer.append(encoded: try columns.texts.readItem())
      }
    }
  }

  /// Checks the change that was put together, and notes where it is.
  private mutating func note(
    _ shape: RowShape,
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32,
    offset: Int,
    body: Int
  ) throws(MalformedPacking) {
    let count = writer.bytes.count - offset
    guard count <= ChangeLimits.changeBytes, writer.bytes.count <= Self.byteLimit else {
      throw Self.tooLarge
    }
    let hash = try check(offset)
    try checkPosition(author, sequence, hash)
    guard shape.live & ~shape.written == 0,
      shape.live != 0 || staged.unknown[staged.rows.count] != nil
    else { throw MalformedPacking("a row has no live value") }
    staged.rows.append(
      .init(
        hash: hash,
        offset: UInt32(offset),
        count: UInt16(count),
        body: UInt16(body),
        author: author,
        sequence: sequence,
        record: record,
        written: shape.written,
        live: shape.live,
        isCovered: shape.isCovered
      )
    )
    last = Last(author: author, sequence: sequence, link: hash.link)
  }

  /// Each author's rows ascend, up to what the frontier says is held.
  private mutating func checkPosition(
    _ author: UInt32,
    _ sequence: UInt32,
    _ hash: ChangeHash
  ) throws(MalformedPacking) {
    guard sequence > reached[Int(author)],
      let tip = staged.head.frontier[staged.authors[Int(author)]], sequence <= tip.sequence,
      sequence < tip.sequence || hash.link == tip.link
    else { throw MalformedPacking("a row is not within the frontier") }
    reached[Int(author)] = sequence
  }

  private func check(_ offset: Int) throws(MalformedPacking) -> ChangeHash {
    do {
      return try writer.bytes.withUnsafeBytes { buffer throws(MalformedChange) in
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        _ = try Change(decoding: bytes, in: palette)
        return ChangeHash(of: bytes, in: palette)
      }
    } catch {
      throw MalformedPacking("\(error)")
    }
  }

  private static var tooLarge: MalformedPacking { MalformedPacking("a change is too large") }
}

extension SnapshotUnpacker {
  private mutating func addWhole(
    _ columns: inout Columns,
    _ shape: RowShape
  ) throws(MalformedPacking) {
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
    guard let author = staged.authors.firstIndex(of: change.dot.node) else {
      throw MalformedPacking("there is no such author")
    }
    if !unknown.isEmpty { staged.unknown[staged.rows.count] = unknown }
    let record = number(of: change.record)
    let offset = writer.bytes.count
    writer.append(encoded: bytes)
    var shape = shape
    shape.written = change.writes.reduce(0) { $0 | $1.register.bit }
    lastStamp = change.stamp.rawValue
    try note(
      shape,
      UInt32(author),
      change.dot.sequence,
      record,
      offset: offset,
      body: bytes.count - change.writes.reduce(0) { $0 + $1.value.encoded.count }
    )
  }

  /// The number of a record, which gets one when it is new.
  private mutating func number(of record: RecordID) -> UInt32 {
    // Few snapshots have whole changes, so only those pay for looking records up.
    for index in numbered..<staged.records.count where numbers[staged.records[index]] == nil {
      numbers[staged.records[index]] = UInt32(index)
    }
    numbered = staged.records.count
    if let number = numbers[record] { return number }
    let number = UInt32(staged.records.count)
    staged.records.append(record)
    origins.append(UInt32(staged.rows.count))
    return number
  }
}
