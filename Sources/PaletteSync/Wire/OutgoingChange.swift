public import PaletteMerge
public import PaletteModel

/// A change as it is pushed.
public struct OutgoingChange: Hashable, Sendable {
  /// The name of the change.
  public let dot: Dot
  /// Its bytes.
  public let bytes: ChangeBytes

  /// Describes a change.
  public init(dot: Dot, bytes: ChangeBytes) {
    self.dot = dot
    self.bytes = bytes
  }

  /// The frame that pushes the change alone.
  func encoded(in palette: PaletteID) -> [UInt8] {
    Frame.changes(palette, dot.node, first: dot.sequence, [bytes.array]).encoded
  }
}
