public import PaletteModel

/// A change as it came from elsewhere.
public struct ArrivedChange: Sendable {
  /// Its bytes.
  public let bytes: [UInt8]
  /// The dot that it was announced by, if it was; another one is malformed.
  public let dot: Dot?
  /// The hash of the bytes, where it is known already.
  public let hash: ChangeHash?

  /// Describes a change.
  public init(bytes: [UInt8], announcedAs dot: Dot? = nil, hash: ChangeHash? = nil) {
    self.bytes = bytes
    self.dot = dot
    self.hash = hash
  }
}
