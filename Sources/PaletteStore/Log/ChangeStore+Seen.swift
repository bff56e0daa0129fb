public import PaletteModel

/// What clients have seen of a record when they edit it.
extension ChangeStore {
  /// The live values of a record, from the four columns of its row that hold dots.
  func seen(
    of id: RecordID,
    _ flags: RecordFlags,
    _ row: borrowing Statement,
    from column: Int32,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> SeenValues? {
    var seen: SeenValues?
    func insert(_ number: Int64) throws(StoreError) {
      let dot = try streams.dot(ofValue: number)
      if seen == nil { seen = SeenValues(dot) } else { seen?.insert(dot) }
    }
    var last: Int64 = 0
    for column in column..<column + 4 {
      let number = row.int64(column)
      // A dot is never 0, which is what NULL reads as. Most columns name the same one.
      guard number != 0, number != last else { continue }
      last = number
      try insert(number)
    }
    guard flags.contains(.hasSiblings) else { return seen }
    let select = try box(.siblings)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(id, at: 2)
    try select.statement.rows { row throws(StoreError) in try insert(row.int64(1)) }
    return seen
  }

  /// Whether values that somebody says to have seen are, or were, this record's.
  ///
  /// What was compacted away cannot be looked at any more, and is believed.
  public func knows(
    _ seen: SeenValues,
    of record: RecordID,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id) else { return false }
    let live = try self.record(record, in: id)?.seen
    let streams = try StreamTable(of: palette, in: self)
    for dot in seen.dots where live?.contains(dot) != true {
      guard let stream = streams[dot.node], dot.sequence <= stream.held else { return false }
      guard let bytes = try changeBytes(dot, streams) else {
        guard dot.sequence <= stream.floor else { return false }
        continue
      }
      guard try decode(bytes, in: id).record == record else { return false }
    }
    return true
  }

  /// The value of a register that was shown to whoever has seen these values.
  ///
  /// - Returns: The value; nil where history does not hold it any more.
  public func value(
    of register: Register,
    seenIn seen: SeenValues,
    in id: PaletteID
  ) throws(StoreError) -> RegisterValue? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try StreamTable(of: palette, in: self)
    var writers: [(change: Change, write: Change.Write)] = []
    for dot in seen.dots {
      guard let bytes = try changeBytes(dot, streams) else { continue }
      let change = try decode(bytes, in: id)
      if let write = change.writes.first(where: { $0.register == register }) {
        writers.append((change, write))
      }
    }
    let replaced = Set(writers.flatMap(\.write.saw))
    return writers.filter { !replaced.contains($0.change.dot) }
      .max { ($0.change.stamp, $0.change.dot) < ($1.change.stamp, $1.change.dot) }?.write.value
  }
}
