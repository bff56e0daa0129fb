public import PaletteModel

extension Snapshot {
  /// The bytes of the snapshot, which travel in numbered parts.
  public var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: rows.count * 96)
    writer.write(array: 5)
    writer.write(frontier)
    writer.write(dropped)
    writer.write(highestWrite)
    writer.write(array: ahead.count)
    let marks = ahead.sorted {
      ($0.record, $0.dot, $0.register?.rawValue ?? 0, $0.register == nil ? 1 : 0)
        < ($1.record, $1.dot, $1.register?.rawValue ?? 0, $1.register == nil ? 1 : 0)
    }
    for mark in marks { writer.write(mark) }
    writer.write(array: rows.count)
    for row in rows {
      writer.write(array: 3)
      writer.write(bytes: row.bytes)
      writer.write(array: row.live.count)
      for register in row.live { writer.write(unsigned: UInt64(register.rawValue)) }
      writer.write(row.isCovered)
    }
    return writer.bytes
  }

  /// Reads a snapshot; its rows are checked when it is merged.
  public init(decoding bytes: [UInt8]) throws(MalformedFrame) {
    do {
      self = try bytes.withUnsafeBytes { buffer throws(CBORError) in
        var reader = CBORReader(buffer)
        let snapshot = try reader.readSnapshot()
        guard reader.isAtEnd else { throw .notDeterministic }
        return snapshot
      }
    } catch {
      throw MalformedFrame(description: "not a snapshot: \(error)")
    }
  }
}

extension CBORWriter {
  fileprivate mutating func write(_ sequences: [NodeID: UInt32]) {
    write(map: sequences.count)
    for (node, sequence) in sequences.sorted(by: { $0.key < $1.key }) {
      write(unsigned: node.rawValue)
      write(unsigned: UInt64(sequence))
    }
  }

  fileprivate mutating func write(_ mark: AheadMark) {
    write(array: 4)
    write(mark.record)
    write(unsigned: mark.dot.node.rawValue)
    write(unsigned: UInt64(mark.dot.sequence))
    if let register = mark.register {
      write(unsigned: UInt64(register.rawValue))
    } else {
      writeNull()
    }
  }
}

extension CBORReader {
  fileprivate mutating func readSnapshot() throws(CBORError) -> Snapshot {
    guard try readArray() == 5 else { throw .unexpectedType }
    var snapshot = Snapshot(
      frontier: try readFrontier(),
      dropped: try readSequences(),
      highestWrite: try readSequences(),
      ahead: [],
      rows: []
    )
    for _ in 0..<(try readArray()) { snapshot.ahead.insert(try readMark()) }
    for _ in 0..<(try readArray()) {
      guard try readArray() == 3 else { throw .unexpectedType }
      let bytes = [UInt8](try readBytes())
      var live: [Register] = []
      for _ in 0..<(try readArray()) { live.append(try readRegister()) }
      snapshot.rows.append(
        Snapshot.Row(bytes: bytes, live: live, isCovered: try readBool())
      )
    }
    return snapshot
  }

  private mutating func readSequences() throws(CBORError) -> [NodeID: UInt32] {
    var sequences: [NodeID: UInt32] = [:]
    for _ in 0..<(try readMap()) {
      let node = NodeID(try readUnsigned())
      sequences[node] = try readSequence()
    }
    return sequences
  }

  private mutating func readMark() throws(CBORError) -> AheadMark {
    guard try readArray() == 4 else { throw .unexpectedType }
    let record = try readRecordID()
    let dot = Dot(NodeID(try readUnsigned()), try readSequence())
    guard isNull else { return AheadMark(record: record, dot: dot, register: try readRegister()) }
    try readNull()
    return AheadMark(record: record, dot: dot, register: nil)
  }

  private mutating func readRegister() throws(CBORError) -> Register {
    guard let number = UInt16(exactly: try readUnsigned()) else { throw .unexpectedType }
    return Register(rawValue: number)
  }
}
