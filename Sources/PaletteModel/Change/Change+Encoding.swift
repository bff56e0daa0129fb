extension Change {
  /// The bytes of the change, as its author's node stores and sends them.
  public var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 96)
    writer.write(array: 2)
    writer.write(array: 7)
    writer.write(unsigned: dot.node.rawValue)
    writer.write(unsigned: UInt64(dot.sequence))
    writer.write(unsigned: stamp.rawValue)
    writer.write(eightBytes: previous)
    writer.write(record)
    writer.write(unsigned: UInt64(kind.rawValue))
    switch kind {
    case .add, .set, .restore:
      writer.write(map: writes.count)
      for write in writes {
        writer.write(unsigned: UInt64(write.register.rawValue))
        writer.write(write.saw)
      }
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
    writer.write(array: writes.count)
    for write in writes { writer.append(encoded: write.value.encoded) }
    return writer.bytes
  }
}

extension CBORWriter {
  fileprivate mutating func write(_ dots: [Dot]) {
    write(array: dots.count)
    for dot in dots {
      write(array: 2)
      write(unsigned: dot.node.rawValue)
      write(unsigned: UInt64(dot.sequence))
    }
  }
}
