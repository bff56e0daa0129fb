/// One record of a palette: a color with a constant identity, a name and a note.
///
/// Two named colors are equal exactly when their ids are, whatever they contain; that is what lets
/// a renamed or recolored record stay the same record. Use ``hasSameContent(as:)`` to compare what
/// they show. The order of named colors is that of the list that holds them.
public struct NamedColor: Identifiable, Sendable {
  /// The constant identity.
  public let id: RecordID
  /// The name, kept byte for byte.
  public var name: String
  /// The color as its author wrote it.
  public var color: Color
  /// A free text about the color; empty for none.
  public var note: String

  /// Creates a named color.
  public init(id: RecordID, name: String, color: Color, note: String = "") {
    self.id = id
    self.name = name
    self.color = color
    self.note = note
  }

  /// Creates a named color with a new identity.
  public init(name: String, color: Color, note: String = "") {
    self.init(id: RecordID(), name: name, color: color, note: note)
  }

  /// Returns whether name, color and note are the same, whatever the identities.
  ///
  /// Text is compared byte by byte: two spellings of one accented letter are different names.
  public func hasSameContent(as other: Self) -> Bool {
    color == other.color && name.hasSameBytes(as: other.name) && note.hasSameBytes(as: other.note)
  }
}

extension NamedColor: Hashable {
  /// Returns whether both are the same record.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identity alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension String {
  /// Returns whether both texts have the same UTF-8 bytes.
  ///
  /// `==` would also accept canonically equivalent text, which is another name on disk.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // The bytes of a short text are in the value itself, and only lent by a variable.
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer($0)) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Compares eight bytes at a time: an import compares every name and note of a palette.
  fileprivate func hasSameBytes(as other: Self) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      let left = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard left == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
        return false
      }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}
