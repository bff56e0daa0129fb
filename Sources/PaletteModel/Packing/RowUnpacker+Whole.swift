/// Changes that came whole, since no row could say them.
extension RowUnpacker {
  mutating func readWhole(
    _ columns: inout RowColumns,
    _ shape: RowShape
  ) throws(MalformedPacking) -> Row {
    let count = try columns.texts.readNumber()
    guard count <= ChangeLimits.changeBytes else { throw Self.tooLarge }
    let bytes = [UInt8](try columns.texts.readBytes(Int(count)))
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
    columns.change.removeAll()
    bytes.withUnsafeBytes { columns.change.append(encoded: $0) }
    var shape = shape
    shape.written = change.writes.reduce(0) { $0 | $1.register.bit }
    lastStamp = change.stamp.rawValue
    if makesChanges { self.change = change }
    var row = try finish(
      &columns,
      shape,
      position.author,
      position.sequence,
      record,
      body: bytes.count - change.writes.reduce(0) { $0 + $1.value.encoded.count }
    )
    row.unknown = unknown
    row.unknownWritten = change.writes.map(\.register).filter { !$0.isKnown }
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
