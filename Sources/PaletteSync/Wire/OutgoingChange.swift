public import PaletteMerge
public import PaletteModel

/// A change as it is pushed.
public struct OutgoingChange: Hashable, Sendable {
  /// The name of the change.
  public let dot: Dot
  /// Its bytes.
  public let bytes: ChangeBytes
  /// The frame that pushes the change alone, where it was made already, for many sessions.
  private(set) var frame: SharedFrame?

  /// Describes a change.
  public init(dot: Dot, bytes: ChangeBytes) {
    self.dot = dot
    self.bytes = bytes
  }

  /// Makes the frame once, for all sessions that push the change.
  public mutating func encode(in palette: PaletteID) {
    frame = SharedFrame(encoded(in: palette))
  }

  /// The frame that pushes the change alone.
  func encoded(in palette: PaletteID) -> [UInt8] {
    Frame.changes(palette, dot.node, first: dot.sequence, [bytes.array]).encoded
  }
}
