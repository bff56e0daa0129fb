/// What a row says of what its change saw.
extension RowUnpacker {
  mutating func writeRegisters(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ author: UInt32,
    _ sequence: UInt32,
    _ record: UInt32
  ) throws(MalformedPacking) {
    writer.write(map: shape.written.nonzeroBitCount)
    for register in Register.known where shape.written & register.bit != 0 {
      writer.write(unsigned: UInt64(register.rawValue))
      guard shape.sawFirst else {
        try writeSeen(&columns, author, sequence)
        continue
      }
      writer.write(array: shape.isKnown ? 1 : 0)
      if shape.isKnown {
        let origin = origins[Int(record)]
        let seen = Dot(authors[Int(origin.author)], origin.sequence)
        guard seen.node != authors[Int(author)] || seen.sequence < sequence else {
          throw Self.future
        }
        write(seen)
      }
    }
  }

  mutating func writeSeen(
    _ columns: inout RowColumns,
    _ author: UInt32,
    _ sequence: UInt32
  ) throws(MalformedPacking) {
    let count = try columns.numbers.readNumber()
    guard count <= UInt64(ChangeLimits.changeBytes) else { throw Self.tooLarge }
    writer.write(array: Int(count))
    var last: Dot?
    for _ in 0..<count {
      let dot = try readSeen(&columns, author, sequence)
      if let last, last >= dot { throw MalformedPacking("dots are out of order") }
      last = dot
      write(dot)
    }
  }

  /// A dot that lies not in the author's own future.
  private func readSeen(
    _ columns: inout RowColumns,
    _ author: UInt32,
    _ sequence: UInt32
  ) throws(MalformedPacking) -> Dot {
    let other = try columns.numbers.readNumber()
    let number = try columns.numbers.readNumber()
    guard other > 0 else {
      guard number > 0, number < sequence else { throw Self.future }
      return Dot(authors[Int(author)], sequence - UInt32(number))
    }
    guard other <= authors.count else { throw Self.noAuthor }
    guard let seen = UInt32(exactly: number), seen > 0 else {
      throw MalformedPacking("a sequence number is none")
    }
    let dot = Dot(authors[Int(other - 1)], seen)
    guard dot.node != authors[Int(author)] || seen < sequence else { throw Self.future }
    return dot
  }

  private mutating func write(_ dot: Dot) {
    writer.write(array: 2)
    writer.write(unsigned: dot.node.rawValue)
    writer.write(unsigned: UInt64(dot.sequence))
  }
}
