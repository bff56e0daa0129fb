extension Change {
  /// The bytes of the change, as its author's node stores and sends them.
  public var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 96)
    encode(into: &writer)
    return writer.bytes
  }

  /// Writes the bytes of the change after what the writer holds.
  package func encode(into writer: inout CBORWriter) {
    writer.writeHead(dot, stamp, previous, record, kind)
    switch kind {
    case .add, .set, .restore:
      writer.writeRegisters(writes)
    case .delete:
      writer.write(covers)
    case .drop:
      writer.write(array: 2)
      writer.write(covers)
      writer.write(map: frontier.count)
      for dot in frontier {
        writer.write(unsigned: dot.node.rawValue)
        writer.write(unsigned: UInt64(dot.sequence))
      }
    }
    writer.writeBody(writes)
  }
}

extension Edit {
  /// Writes the bytes of the change that the edit makes of a record of which nothing is held.
  ///
  /// It is what ``change(dot:stamp:previous:frontier:state:)`` would encode to.
  package func encodeFirst(
    _ dot: Dot,
    _ stamp: Stamp,
    previous: UInt64,
    into writer: inout CBORWriter
  ) {
    precondition(kind.writesRegisters, "the first change of a record writes registers")
    writer.writeHead(dot, stamp, previous, record, kind)
    writer.writeRegisters(writes)
    writer.writeBody(writes)
  }
}

extension CBORWriter {
  fileprivate mutating func writeHead(
    _ dot: Dot,
    _ stamp: Stamp,
    _ previous: UInt64,
    _ record: RecordID,
    _ kind: ChangeKind
  ) {
    write(array: 2)
    write(array: 7)
    write(unsigned: dot.node.rawValue)
    write(unsigned: UInt64(dot.sequence))
    write(unsigned: stamp.rawValue)
    write(eightBytes: previous)
    write(record)
    write(unsigned: UInt64(kind.rawValue))
  }

  fileprivate mutating func writeRegisters(_ writes: [Change.Write]) {
    write(map: writes.count)
    for index in writes.indices {
      write(unsigned: UInt64(writes[index].register.rawValue))
      write(writes[index].saw)
    }
  }

  fileprivate mutating func writeBody(_ writes: [Change.Write]) {
    write(array: writes.count)
    for index in writes.indices { writes[index].value.withEncoded { append(encoded: $0) } }
  }

  fileprivate mutating func write(_ dots: [Dot]) {
    write(array: dots.count)
    for dot in dots {
      write(array: 2)
      write(unsigned: dot.node.rawValue)
      write(unsigned: UInt64(dot.sequence))
    }
  }
}
