/// What a row says of what its change saw.
extension RowUnpacker {
  mutating func writeRegisters(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ dot: Dot,
    _ record: UInt32
  ) throws(MalformedPacking) {
    let count = shape.written.nonzeroBitCount
    columns.change.write(map: count)
    if makesChanges { change?.writes.reserveCapacity(count) }
    for register in Register.known where shape.written & register.bit != 0 {
      columns.change.write(unsigned: UInt64(register.rawValue))
      let saw =
        shape.sawFirst
        ? try writeFirst(&columns, shape, dot, record) : try writeSeen(&columns, dot)
      guard makesChanges else { continue }
      change?.writes.append(Change.Write(register, saw: saw, value: Self.none))
    }
  }

  /// In place of a value that is still to come.
  private static let none = RegisterValue(encoded: [])

  /// Writes the change of the record's first row as seen; nothing in that row itself.
  private func writeFirst(
    _ columns: inout RowColumns,
    _ shape: RowShape,
    _ dot: Dot,
    _ record: UInt32
  ) throws(MalformedPacking) -> [Dot] {
    columns.change.write(array: shape.isKnown ? 1 : 0)
    guard shape.isKnown else { return [] }
    let origin = origins[Int(record)]
    let seen = Dot(authors[Int(origin.author)], origin.sequence)
    guard seen.node != dot.node || seen.sequence < dot.sequence else { throw Self.future }
    columns.change.write(seen)
    return makesChanges ? [seen] : []
  }

  /// Writes dots that were seen, and gives them where changes are wanted.
  func writeSeen(
    _ columns: inout RowColumns,
    _ dot: Dot
  ) throws(MalformedPacking) -> [Dot] {
    let count = try columns.numbers.readNumber()
    guard count <= UInt64(ChangeLimits.changeBytes) else { throw Self.tooLarge }
    columns.change.write(array: Int(count))
    var dots: [Dot] = []
    if makesChanges { dots.reserveCapacity(min(Int(count), 16)) }
    var last: Dot?
    for _ in 0..<count {
      let seen = try readSeen(&columns, dot)
      if let last, last >= seen { throw MalformedPacking("dots are out of order") }
      last = seen
      columns.change.write(seen)
      if makesChanges { dots.append(seen) }
    }
    return dots
  }

  /// A dot that lies not in the author's own future.
  private func readSeen(
    _ columns: inout RowColumns,
    _ dot: Dot
  ) throws(MalformedPacking) -> Dot {
    let other = try columns.numbers.readNumber()
    let number = try columns.numbers.readNumber()
    guard other > 0 else {
      guard number > 0, number < dot.sequence else { throw Self.future }
      return Dot(dot.node, dot.sequence - UInt32(number))
    }
    guard other <= authors.count else { throw Self.noAuthor }
    let seen = Dot(authors[Int(other - 1)], try ColumnReader.sequence(number))
    guard seen.node != dot.node || seen.sequence < dot.sequence else { throw Self.future }
    return seen
  }
}
