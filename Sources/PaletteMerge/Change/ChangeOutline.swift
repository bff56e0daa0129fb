package import PaletteModel

/// The references of an encoded change to other changes, read without keeping any of it.
///
/// Whoever looks at a million changes to know which of them still count needs no values.
package struct ChangeOutline {
  /// A reference of the change to a value elsewhere.
  package enum Mark {
    /// A value of the register is replaced.
    case replaced(SeenDot, Register)
    /// Whatever the change with the dot wrote is covered by a delete.
    case covered(SeenDot)
    /// All up to the dot lies within a drop.
    case dropped(SeenDot)
  }

  /// The record.
  package let record: RecordID
  /// The effect of the change.
  package let kind: ChangeKind

  /// Reads the envelope of a change from behind its sequence number on.
  ///
  /// - Parameters:
  ///   - reader: The reader, at the stamp; it has been read already where a caller needs it.
  ///   - written: Receives each register that the change writes.
  ///   - marked: Receives what the change says of other changes.
  /// - Throws: `CBORError` when this is no change.
  package init(
    behindStamp reader: inout CBORReader,
    written: (Register) -> Void,
    marked: (Mark) -> Void
  ) throws(CBORError) {
    _ = try reader.readEightBytes()
    record = try reader.readRecordID()
    guard let number = UInt8(exactly: try reader.readUnsigned()),
      let kind = ChangeKind(rawValue: number)
    else { throw .unexpectedType }
    self.kind = kind
    switch kind {
    case .add, .set, .restore:
      for _ in 0..<(try reader.readMap()) {
        guard let number = UInt16(exactly: try reader.readUnsigned()) else {
          throw .unexpectedType
        }
        let register = Register(rawValue: number)
        written(register)
        try reader.forEachDot { marked(.replaced($0, register)) }
      }
    case .delete:
      try reader.forEachDot { marked(.covered($0)) }
    case .drop:
      guard try reader.readArray() == 2 else { throw .unexpectedType }
      try reader.forEachDot { marked(.covered($0)) }
      for _ in 0..<(try reader.readMap()) {
        marked(.dropped(try reader.readFrontierEntry()))
      }
    }
  }
}

extension CBORReader {
  fileprivate mutating func forEachDot(_ body: (SeenDot) -> Void) throws(CBORError) {
    for _ in 0..<(try readArray()) { body(try readSeenDot()) }
  }
}
