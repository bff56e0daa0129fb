/// The values of a row.
extension RowUnpacker {
  mutating func writeValues(
    _ columns: inout RowColumns,
    _ written: UInt8
  ) throws(MalformedPacking) {
    var index = 0
    for register in Register.known where written & register.bit != 0 {
      let start = columns.change.bytes.count
      switch register {
      case .color: try write(try columns.plain.readItem(), as: register, &columns.change)
      case .place: try writePlace(&columns)
      default: try write(try columns.texts.readItem(), as: register, &columns.change)
      }
      if makesChanges {
        change?.writes[index].value = columns.change.bytes[start...].withUnsafeBytes {
          RegisterValue(encoded: $0)
        }
        index += 1
      }
    }
  }

  private mutating func writePlace(_ columns: inout RowColumns) throws(MalformedPacking) {
    let shared = try columns.places.readNumber()
    let count = try columns.places.readNumber()
    guard shared <= lastPlace.count, count <= ChangeLimits.placeBytes - Int(shared),
      shared + count > 0
    else { throw MalformedPacking("a place is none") }
    lastPlace.removeLast(lastPlace.count - Int(shared))
    lastPlace.append(contentsOf: try columns.places.readBytes(Int(count)))
    lastPlace.withUnsafeBytes { columns.change.write(bytes: $0) }
  }

  private func write(
    _ item: UnsafeRawBufferPointer,
    as register: Register,
    _ change: inout CBORWriter
  ) throws(MalformedPacking) {
    do {
      try register.check(item)
    } catch {
      throw MalformedPacking("\(error)")
    }
    change.append(encoded: item)
  }
}
