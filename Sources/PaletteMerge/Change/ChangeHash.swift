public import PaletteModel

/// The hash of a change: the first 128 bits of BLAKE2b over the palette's id and the change's bytes.
///
/// The palette's id is part of it, so that a change cannot be passed off in another palette.
public struct ChangeHash: Hashable, Sendable {
  /// The first eight bytes, by which the author's next change names this one.
  public let link: UInt64
  /// The last eight bytes.
  public let rest: UInt64

  /// The hash of the bytes of a change in a palette.
  public init(of bytes: UnsafeRawBufferPointer, in palette: PaletteID) {
    var hash = BLAKE2b(resultLength: 16)
    hash.update(palette.record.high)
    hash.update(palette.record.low)
    hash.update(bytes)
    (link, rest) = hash.finalizeWords()
  }

  /// The hash of a change in a palette whose bytes are in two parts.
  package init(
    of head: UnsafeRawBufferPointer,
    _ rest: UnsafeRawBufferPointer,
    in palette: PaletteID
  ) {
    var hash = BLAKE2b(resultLength: 16)
    hash.update(palette.record.high)
    hash.update(palette.record.low)
    hash.update(head)
    hash.update(rest)
    (link, self.rest) = hash.finalizeWords()
  }

  /// The hash of the bytes of a change in a palette.
  public init(of bytes: [UInt8], in palette: PaletteID) {
    self = bytes.withUnsafeBytes { Self(of: $0, in: palette) }
  }
}
