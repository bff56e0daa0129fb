/// The values of a row.
extension RowUnpacker {
  mutating func writeValues(
    _ columns: inout RowColumns,
    _ written: UInt8
  ) throws(MalformedPacking) {
    for register in Register.known where written & register.bit != 0 {
      switch register {
      case .color: try write(try columns.plain.readItem(), as: register)
      case .place:
        let shared = try columns.places.readNumber()
        let count = try columns.places.readNumber()
        guard shared <= lastPlace.count, count <= ChangeLimits.placeBytes - Int(shared),
          shared + count > 0
        else { throw MalformedPacking("a place is none") }
        lastPlace.removeLast(lastPlace.count - Int(shared))
        lastPlace.append(contentsOf: try columns.places.take(Int(count)))
        writer.write(bytes: lastPlace)
      default: try write(try columns.texts.readItem(), as: register)
      }
    }
  }

  private mutating func write(
    _ item: UnsafeRawBufferPointer,
    as register: Register
  ) throws(MalformedPacking) {
    do {
      try register.check(item)
    } catch {
      throw MalformedPacking("\(error)")
    }
    writer.append(encoded: item)
  }
}
