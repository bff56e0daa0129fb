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

extension CBORWriter {
  mutating func writeHead(
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

  mutating func writeRegisters(_ writes: [Change.Write]) {
    write(map: writes.count)
    for index in writes.indices {
      write(unsigned: UInt64(writes[index].register.rawValue))
      write(writes[index].saw)
    }
  }

  mutating func writeBody(_ writes: [Change.Write]) {
    write(array: writes.count)
    for index in writes.indices { writes[index].value.withEncoded { append(encoded: $0) } }
  }

  mutating func write(_ dots: [Dot]) {
    write(array: dots.count)
    for dot in dots { write(dot) }
  }

  mutating func write(_ dot: Dot) {
    write(array: 2)
    write(unsigned: dot.node.rawValue)
    write(unsigned: UInt64(dot.sequence))
  }
}
