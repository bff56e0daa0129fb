public import PaletteMerge
internal import PaletteModel

extension Snapshot {
  /// The bytes of the snapshot, which travel in numbered parts.
  public var encoded: [UInt8] {
    rows.reduce(into: encodedHead(rowCount: rows.count)) { $0 += $1.encoded }
  }

  /// The bytes before those of the rows, of which there are so many.
  func encodedHead(rowCount: Int) -> [UInt8] {
    var writer = CBORWriter()
    writer.write(array: 5)
    writer.write(frontier)
    writer.write(dropped)
    writer.write(highestWrite)
    writer.write(array: ahead.count)
    for mark in ahead.sorted(by: { $0.precedes($1) }) { writer.write(mark) }
    writer.write(array: rowCount)
    return writer.bytes
  }

  /// Reads a snapshot; its rows are checked when it is merged.
  public init(decoding bytes: [UInt8]) throws(MalformedFrame) {
    do {
      self = try CBORReader.readAll(of: bytes) { reader throws(CBORError) in
        try reader.readSnapshot()
      }
    } catch {
      throw MalformedFrame(description: "not a snapshot: \(error)")
    }
  }
}

extension Snapshot.Row {
  /// The bytes of the row.
  var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: bytes.count + 16)
    writer.write(array: 3)
    writer.write(bytes: bytes)
    writer.write(array: live.count)
    for register in live { writer.write(unsigned: UInt64(register.rawValue)) }
    writer.write(isCovered)
    return writer.bytes
  }
}

extension PendingReference {
  /// The order in which marks travel.
  fileprivate func precedes(_ other: PendingReference) -> Bool {
    (record, dot, effect.rank, proof) < (other.record, other.dot, other.effect.rank, other.proof)
  }
}

extension PendingReference.Effect {
  fileprivate var rank: Int {
    switch self {
    case .replaced(let register): Int(register.rawValue)
    case .covered: .max - 1
    case .dropped: .max
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

  fileprivate mutating func write(_ mark: PendingReference) {
    write(array: 5)
    write(mark.record)
    write(unsigned: mark.dot.node.rawValue)
    write(unsigned: UInt64(mark.dot.sequence))
    switch mark.effect {
    case .replaced(let register): write(unsigned: UInt64(register.rawValue))
    case .covered: writeNull()
    case .dropped: write(true)
    }
    write(fourBytes: mark.proof)
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
    var previous: PendingReference?
    for _ in 0..<(try readArray()) {
      let mark = try readMark()
      if let previous, !previous.precedes(mark) { throw .notDeterministic }
      previous = mark
      snapshot.ahead.insert(mark)
    }
    for _ in 0..<(try readArray()) {
      guard try readArray() == 3 else { throw .unexpectedType }
      let bytes = [UInt8](try readBytes())
      var live: [Register] = []
      for _ in 0..<(try readArray()) {
        let register = try readRegister()
        if let last = live.last, last >= register { throw .notDeterministic }
        live.append(register)
      }
      snapshot.rows.append(
        Snapshot.Row(bytes: bytes, live: live, isCovered: try readBool())
      )
    }
    return snapshot
  }

  private mutating func readSequences() throws(CBORError) -> [NodeID: UInt32] {
    var sequences: [NodeID: UInt32] = [:]
    var previous: NodeID?
    for _ in 0..<(try readMap()) {
      let node = NodeID(try readUnsigned())
      if let previous, previous >= node { throw .notDeterministic }
      previous = node
      sequences[node] = try readSequence()
    }
    return sequences
  }

  private mutating func readMark() throws(CBORError) -> PendingReference {
    guard try readArray() == 5 else { throw .unexpectedType }
    let record = try readRecordID()
    let dot = Dot(NodeID(try readUnsigned()), try readSequence())
    let effect = try readEffect()
    return PendingReference(record: record, dot: dot, effect, proof: try readFourBytes())
  }

  private mutating func readEffect() throws(CBORError) -> PendingReference.Effect {
    guard try peekMajorType() == 7 else { return .replaced(try readRegister()) }
    if isNull {
      try readNull()
      return .covered
    }
    guard try readBool() else { throw .unexpectedType }
    return .dropped
  }

  private mutating func readRegister() throws(CBORError) -> Register {
    guard let number = UInt16(exactly: try readUnsigned()) else { throw .unexpectedType }
    return Register(rawValue: number)
  }
}
