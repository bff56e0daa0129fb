import PaletteMerge
import PaletteModel

/// Records that one change each made in this transaction, and that nothing else touched.
///
/// That is nearly all of an import and of a first catch-up. Such a record needs no state of its own:
/// its row is made from the values of its change, in the order of ids, which is cheapest for the
/// table. The values stand side by side in a few large buffers.
struct AddedRecords {
  private struct Entry {
    let id: RecordID
    let dot: Dot
    let buffer: UInt32
    let offset: UInt32
    /// The number of values there are; none when the record is kept elsewhere by now.
    var count: UInt8
  }

  private var entries: [Entry] = []
  /// For each record its id, and for each value the index of its register in one byte, its length in
  /// two, and its bytes.
  private var buffers: [[UInt8]] = []
  private var positions: [RecordID: Int] = [:]

  private var firstBufferBytes = 0

  private static let bufferBytes = 1 << 18
  /// The number of bytes the values of a new color have.
  private static let usualBytes = 64
  private static let idBytes = 16
  private static let headBytes = 3

  /// Makes room for as many records.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(entries.count + count)
    positions.reserveCapacity(positions.count + count)
    firstBufferBytes = min(count * Self.usualBytes, Self.bufferBytes)
  }

  /// Keeps the writes of known registers of a change that is the only one about its record.
  mutating func insert(_ record: RecordID, _ dot: Dot, _ writes: [Change.Write]) {
    positions[record] = entries.count
    if Self.bufferBytes - (buffers.last?.count ?? Self.bufferBytes) < ChangeLimits.changeBytes {
      var buffer: [UInt8] = []
      // Most palettes need little: a transaction may write many of them.
      buffer.reserveCapacity(buffers.isEmpty ? firstBufferBytes : Self.bufferBytes)
      buffers.append(buffer)
    }
    let buffer = buffers.count - 1
    entries.append(
      Entry(
        id: record,
        dot: dot,
        buffer: UInt32(buffer),
        offset: UInt32(buffers[buffer].count),
        count: UInt8(writes.count)
      )
    )
    withUnsafeBytes(of: (record.high.bigEndian, record.low.bigEndian)) {
      buffers[buffer].append(contentsOf: $0)
    }
    for index in writes.indices {
      guard let register = writes[index].register.knownIndex else { continue }
      writes[index].value.withEncoded { item in
        let head = (UInt8(register), UInt8(item.count >> 8), UInt8(item.count & 255))
        withUnsafeBytes(of: head) { buffers[buffer].append(contentsOf: $0) }
        buffers[buffer].append(contentsOf: item)
      }
    }
  }

  /// Returns whether a record was made here, wherever it is kept by now.
  func contains(_ id: RecordID) -> Bool { positions[id] != nil }

  /// Lets go of a record that is about to be touched, and gives its live values.
  mutating func remove(_ id: RecordID) -> [LiveValue]? {
    guard let index = positions[id], entries[index].count > 0 else { return nil }
    let entry = entries[index]
    var values: [LiveValue] = []
    buffers[Int(entry.buffer)].withUnsafeBytes { buffer in
      var reader = ValueReader(buffer, entry.offset + UInt32(Self.idBytes))
      for _ in 0..<entry.count {
        let (index, item) = reader.next()
        values.append(
          LiveValue(
            register: Register(knownIndex: index),
            dot: entry.dot,
            isCovered: false,
            value: RegisterValue(encoded: item)
          )
        )
      }
    }
    entries[index].count = 0
    return values
  }

  /// True if no record was added.
  var isEmpty: Bool { entries.isEmpty }

  /// The records.
  var ids: some Sequence<RecordID> { entries.lazy.filter { $0.count > 0 }.map(\.id) }

  /// Writes the rows, and counts the colors among them.
  func write(in table: RecordTable) throws(StoreError) {
    guard !entries.isEmpty else { return }
    var order: [(id: RecordID, index: UInt32)] = []
    order.reserveCapacity(entries.count)
    for index in entries.indices where entries[index].count > 0 {
      order.append((entries[index].id, UInt32(index)))
    }
    order.sort { $0.id < $1.id }
    try lendBuffers { (buffers) throws(StoreError) in
      var rest = order[...]
      while !rest.isEmpty {
        let rows = rest.prefix(Query.rowsAtOnce(of: rest.count))
        let insert = try table.database.box(
          Query.inserting(rows.count, .insertRecord, .insertFewRecords, .insertRecords)
        )
        defer { insert.statement.clearBindings() }
        for (row, (_, index)) in rows.enumerated() {
          let entry = entries[Int(index)]
          let parameter = Int32(row * RecordColumns.count)
          try bind(entry, in: buffers[Int(entry.buffer)], after: parameter, to: insert, table)
        }
        try insert.statement.run()
        rest = rest.dropFirst(rows.count)
      }
    }
  }

  /// Lends all buffers at once: a copy of each value would be made for SQLite otherwise.
  private func lendBuffers(
    _ lent: [UnsafeRawBufferPointer] = [],
    to body: ([UnsafeRawBufferPointer]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard lent.count < buffers.count else { return try body(lent) }
    try buffers[lent.count].withUnsafeBufferPointer { (buffer) throws(StoreError) in
      try lendBuffers(lent + [UnsafeRawBufferPointer(buffer)], to: body)
    }
  }

  /// Binds the parameters of one row, which begin after another.
  private func bind(
    _ entry: Entry,
    in buffer: UnsafeRawBufferPointer,
    after parameter: Int32,
    to box: PreparedQueries.Box,
    _ table: RecordTable
  ) throws(StoreError) {
    let values = Int(entry.offset) + Self.idBytes
    let id = UnsafeRawBufferPointer(rebasing: buffer[Int(entry.offset)..<values])
    var reader = ValueReader(buffer, UInt32(values))
    let dot = table.valueNumber(of: entry.dot)
    let flags = try Self.bind(entry.count, &reader, dot, after: parameter, to: box.statement)
    try box.statement.bind(table.number, at: parameter + 1)
    try box.statement.bind(lent: id, at: parameter + 2)
    try box.statement.bind(flags.rawValue, at: parameter + 3)
    table.palette.count(colors: flags.listedColors)
  }

  private static func bind(
    _ count: UInt8,
    _ reader: inout ValueReader,
    _ dot: Int64,
    after parameter: Int32,
    to statement: borrowing Statement
  ) throws(StoreError) -> RecordFlags {
    var isMissing = Register.PerKnown<Bool>(repeating: true)
    for _ in 0..<count {
      let (index, item) = reader.next()
      let register = Register(knownIndex: index)
      let columns = RecordColumns(register)
      try statement.bind(lent: item, as: register, at: parameter + columns.value)
      try statement.bind(dot, at: parameter + columns.dot)
      isMissing[index] = false
    }
    for index in isMissing.indices where isMissing[index] {
      let columns = RecordColumns(Register(knownIndex: index))
      try statement.bindNull(at: parameter + columns.value)
      try statement.bindNull(at: parameter + columns.dot)
    }
    // A name, a color and a place.
    return isMissing[0] || isMissing[1] || isMissing[2] ? .isHidden : []
  }

  /// Reads values one after another.
  private struct ValueReader {
    private let buffer: UnsafeRawBufferPointer
    private var position: Int

    init(_ buffer: UnsafeRawBufferPointer, _ offset: UInt32) {
      self.buffer = buffer
      position = Int(offset)
    }

    /// The index of the next value's register, and its item.
    mutating func next() -> (Int, UnsafeRawBufferPointer) {
      let register = Int(buffer[position])
      let count = Int(buffer[position + 1]) << 8 | Int(buffer[position + 2])
      let start = position + AddedRecords.headBytes
      position = start + count
      return (register, UnsafeRawBufferPointer(rebasing: buffer[start..<position]))
    }
  }
}
