internal import PaletteModel

/// What a certain file can say of a color, where that is other than its format can.
enum ColorLimit: Hashable, Sendable {
  /// What its format can.
  case format
  /// Bytes of red, green and blue, perhaps with an opacity.
  case bytes(hasAlpha: Bool)

  /// What a file with this limit is to say of a color, for which others would say `entry`.
  func applied(to entry: FileEntry, of named: NamedColor) -> FileEntry {
    guard case .bytes(let hasAlpha) = self else { return entry }
    var entry = entry
    let bytes = named.color.shownBytes
    entry.color = Color(
      red8: bytes.red,
      green8: bytes.green,
      blue8: bytes.blue,
      alpha8: hasAlpha ? UInt8((min(1, max(0, named.color.alpha ?? 0)) * 255).rounded()) : 255
    )
    return entry
  }
}
