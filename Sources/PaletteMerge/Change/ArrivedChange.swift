public import PaletteModel

/// A change as it came from elsewhere.
public struct ArrivedChange: Hashable, Sendable {
  /// The dot that it was announced by; with another one it is malformed.
  public let dot: Dot
  /// Its bytes.
  public private(set) var bytes: ChangeBytes
  /// The hash of the bytes, where it is known already.
  package let hash: ChangeHash?
  /// The decoded change; nil if the bytes are none.
  package let change: Change?

  /// Describes a change in a palette.
  ///
  /// - Parameters:
  ///   - bytes: Its bytes, or what shall be refused as malformed.
  ///   - dot: The dot that it was announced by, if it was.
  ///   - palette: The palette.
  public init(bytes: [UInt8], announcedAs dot: Dot? = nil, in palette: PaletteID) {
    self.bytes = ChangeBytes(bytes)
    hash = nil
    change = try? Change(decoding: bytes, in: palette)
    self.dot = dot ?? change?.dot ?? Dot(NodeID(0), 0)
  }

  /// Describes a change whose bytes were just made from it, and are still to be brought.
  init(_ change: consuming Change, promising bytes: Range<Int>, hash: ChangeHash) {
    dot = change.dot
    self.bytes = ChangeBytes(promising: bytes)
    self.hash = hash
    self.change = change
  }

  /// Brings the bytes, which lie among those of other changes.
  mutating func come(to bytes: [UInt8]) { self.bytes.come(to: bytes) }

  /// The reason why the bytes are not the change that was announced.
  package func flaw(in palette: PaletteID) -> MalformedChange {
    do {
      _ = try Change(decoding: bytes.array, in: palette)
      return MalformedChange("the change has another dot")
    } catch {
      return error
    }
  }
}
