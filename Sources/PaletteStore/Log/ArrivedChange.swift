public import PaletteModel

/// A change as it came from elsewhere.
public struct ArrivedChange: Sendable {
  /// Its bytes.
  public let bytes: [UInt8]
  /// The dot that it was announced by, if it was; another one is malformed.
  public let dot: Dot?
  /// The hash of the bytes, where it is known already.
  public let hash: ChangeHash?
  /// What decoding the bytes gives, where whoever put them together has it already.
  let change: Change?

  /// Describes a change.
  public init(bytes: [UInt8], announcedAs dot: Dot? = nil) {
    self.init(bytes: bytes, announcedAs: dot, hash: nil, change: nil)
  }

  /// Describes a change of which more is known; all of it has to be true.
  package init(
    bytes: [UInt8],
    announcedAs dot: Dot?,
    hash: ChangeHash?,
    change: Change?
  ) {
    self.bytes = bytes
    self.dot = dot
    self.hash = hash
    self.change = change
  }

  /// The change in a palette, or why it is none.
  func decoded(in palette: PaletteID) -> Result<Change, MalformedChange> {
    if let change { return .success(change) }
    do {
      return .success(try Change(decoding: bytes, in: palette))
    } catch {
      return .failure(error)
    }
  }
}
