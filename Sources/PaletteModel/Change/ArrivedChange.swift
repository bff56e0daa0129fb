/// A change as it came from elsewhere.
public struct ArrivedChange: Hashable, Sendable {
  /// The dot that it was announced by; with another one it is malformed.
  public let dot: Dot
  /// Its bytes.
  public let bytes: [UInt8]
  /// The hash of the bytes, where it is known already.
  package let hash: ChangeHash?
  /// What decoding the bytes gives; nil where they are no change.
  package let change: Change?

  /// Describes a change in a palette.
  ///
  /// - Parameters:
  ///   - bytes: Its bytes, or what shall be refused as malformed.
  ///   - dot: The dot that it was announced by, if it was.
  ///   - palette: The palette.
  public init(bytes: [UInt8], announcedAs dot: Dot? = nil, in palette: PaletteID) {
    self.bytes = bytes
    hash = nil
    change = try? Change(decoding: bytes, in: palette)
    self.dot = dot ?? change?.dot ?? Dot(NodeID(0), 0)
  }

  /// Describes a change whose bytes were just made from it.
  init(_ change: Change, bytes: [UInt8], hash: ChangeHash) {
    dot = change.dot
    self.bytes = bytes
    self.hash = hash
    self.change = change
  }

  /// Why the bytes are not the change that was announced.
  package func flaw(in palette: PaletteID) -> MalformedChange {
    do {
      _ = try Change(decoding: bytes, in: palette)
      return MalformedChange("the change has another dot")
    } catch {
      return error
    }
  }
}
