public import PaletteModel

/// The names of authors travel in the palettes that they edit: each writes its own into a record of its
/// own there, which is never listed, because it has no color and no place.
extension RecordID {
  /// The last eight bytes of all such records, a random number.
  private static let authorMark: UInt64 = 0xB0E1_6A5C_2F94_D37B

  /// The record that holds the name of whoever makes changes under a node id.
  public static func author(_ node: NodeID) -> RecordID {
    RecordID(high: node.rawValue, low: authorMark)
  }

  fileprivate var isAuthor: Bool { low == Self.authorMark }
}

extension Change {
  /// True if the change does nothing but say what an author is called, as long as the record is no
  /// color all the same.
  public var namesAuthor: Bool {
    record.isAuthor && writes.count == 1 && writes[0].register == .name
  }
}

/// Looks for the characters that names and notes may not have.
enum ControlCharacters {
  /// True when valid UTF-8 has a C0, DEL or C1 control character, newlines apart where they may stand.
  static func areIn(_ text: UnsafeRawBufferPointer, allowingNewlines: Bool) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case 0x0A: if !allowingNewlines { return true }
      case 0..<0x20, 0x7F: return true
      // U+0080 to U+009F are the two bytes C2 80 to C2 9F.
      case 0x80..<0xA0: if previous == 0xC2 { return true }
      default: break
      }
      previous = byte
    }
    return false
  }
}
