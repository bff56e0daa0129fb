import PaletteMerge
import PaletteModel

/// One part of a user action, with what undoing and redoing it need.
enum UndoStep: Equatable {
  /// Records were added by consecutive changes of one author.
  case added(NodeID, first: UInt32, last: UInt32)
  /// A register was written; nil is a register that had no value.
  case wrote(RecordID, Register, before: RegisterValue?, after: RegisterValue)
  /// A record was deleted.
  case deleted(RecordID)
  /// A record was brought back, at a place.
  case restored(RecordID, RegisterValue)
  /// The palette was made; only in a part of a long action.
  case began
}

extension [UndoStep] {
  /// The steps as the bytes of their row.
  var encoded: [UInt8] {
    var writer = CBORWriter()
    writer.write(array: count)
    for step in self { writer.write(step) }
    return writer.bytes
  }

  /// Reads the bytes of a row.
  init(decoding bytes: [UInt8]) throws(StoreError) {
    do {
      self = try bytes.withUnsafeBytes { buffer throws(CBORError) in
        var reader = CBORReader(buffer)
        var steps: [UndoStep] = []
        for _ in 0..<(try reader.readArray()) { steps.append(try reader.readUndoStep()) }
        return steps
      }
    } catch {
      throw StoreError(code: .corrupt, message: "an undo step is damaged: \(error)")
    }
  }

  /// Adds a step; additions that follow one another become one.
  mutating func record(_ step: UndoStep) {
    if case .added(let node, let first, let newEnd) = step,
      case .added(let lastNode, let start, let end)? = last, lastNode == node, end &+ 1 == first
    {
      self[endIndex - 1] = .added(node, first: start, last: newEnd)
    } else {
      append(step)
    }
  }
}

extension CBORWriter {
  fileprivate mutating func write(_ step: UndoStep) {
    switch step {
    case .added(let node, let first, let last):
      write(array: 4)
      write(unsigned: 0)
      write(unsigned: node.rawValue)
      write(unsigned: UInt64(first))
      write(unsigned: UInt64(last))
    case .wrote(let record, let register, let before, let after):
      write(array: 5)
      write(unsigned: 1)
      write(record)
      write(unsigned: UInt64(register.rawValue))
      if let before { write(before) } else { writeNull() }
      write(after)
    case .deleted(let record):
      write(array: 2)
      write(unsigned: 2)
      write(record)
    case .restored(let record, let place):
      write(array: 3)
      write(unsigned: 3)
      write(record)
      write(place)
    case .began:
      write(array: 1)
      write(unsigned: 4)
    }
  }

  private mutating func write(_ value: RegisterValue) {
    value.withEncoded { append(encoded: $0) }
  }
}

extension CBORReader {
  fileprivate mutating func readUndoStep() throws(CBORError) -> UndoStep {
    _ = try readArray()
    switch try readUnsigned() {
    case 0:
      return .added(
        NodeID(try readUnsigned()),
        first: UInt32(truncatingIfNeeded: try readUnsigned()),
        last: UInt32(truncatingIfNeeded: try readUnsigned())
      )
    case 1:
      let record = try readRecordID()
      let register = Register(rawValue: UInt16(truncatingIfNeeded: try readUnsigned()))
      var before: RegisterValue?
      if isNull { try readNull() } else { before = RegisterValue(encoded: try readItem()) }
      let after = RegisterValue(encoded: try readItem())
      return .wrote(record, register, before: before, after: after)
    case 2: return .deleted(try readRecordID())
    case 3:
      let record = try readRecordID()
      return .restored(record, RegisterValue(encoded: try readItem()))
    case 4: return .began
    default: throw .unexpectedType
    }
  }
}
