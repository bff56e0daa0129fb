package import PaletteModel

extension CBORWriter {
  /// Writes a color: three or four bytes when it is 8-bit sRGB, else an array of space, components
  /// and, unless it is 1, alpha.
  mutating func write(_ color: Color) {
    if let (red, green, blue, alpha) = color.exactBytes {
      return write(bytes: alpha == 255 ? [red, green, blue] : [red, green, blue, alpha])
    }
    let isOpaque = color.alpha == 1
    write(array: isOpaque ? 4 : 5)
    write(unsigned: UInt64(color.space.rawValue))
    for component in [color.first, color.second, color.third] { writeOptional(component) }
    if !isOpaque { writeOptional(color.alpha) }
  }

  private mutating func writeOptional(_ value: Double?) {
    if let value { write(value) } else { writeNull() }
  }
}

extension CBORReader {
  /// Reads a color and refuses every encoding but the one that the writer gives it.
  mutating func readColor() throws(CBORError) -> Color {
    if try peekMajorType() == 2 {
      let bytes = try readBytes()
      guard bytes.count == 3 || bytes.count == 4 && bytes[3] != 255 else {
        throw .notDeterministic
      }
      let alpha = bytes.count == 4 ? Double(bytes[3]) / 255 : 1
      return Color(
        .srgb,
        Double(bytes[0]) / 255,
        Double(bytes[1]) / 255,
        Double(bytes[2]) / 255,
        alpha: alpha
      )
    }
    let count = try readArray()
    guard count == 4 || count == 5 else { throw .unexpectedType }
    guard let number = UInt8(exactly: try readUnsigned()), let space = ColorSpace(rawValue: number)
    else { throw .unexpectedType }
    var color = Color(space, try readOptional(), try readOptional(), try readOptional())
    if count == 5 {
      color.alpha = try readOptional()
      guard color.alpha != 1 else { throw .notDeterministic }
    }
    guard color.exactBytes == nil else { throw .notDeterministic }
    return color
  }

  private mutating func readOptional() throws(CBORError) -> Double? {
    guard isNull else { return try readFloat() }
    try readNull()
    return nil
  }
}

extension Color {
  /// Reads the item that a color register holds; nil when it is no color.
  package init?(encoded bytes: UnsafeRawBufferPointer) {
    var reader = CBORReader(bytes)
    guard let color = try? reader.readColor() else { return nil }
    self = color
  }

  /// Red, green, blue and alpha as bytes, when the color is sRGB and each is exactly n/255.
  var exactBytes: (UInt8, UInt8, UInt8, UInt8)? {
    guard space == .srgb, let red = Self.exactByte(first), let green = Self.exactByte(second),
      let blue = Self.exactByte(third), let alpha = Self.exactByte(alpha)
    else { return nil }
    return (red, green, blue, alpha)
  }

  private static func exactByte(_ component: Double?) -> UInt8? {
    guard let component, component >= 0, component <= 1 else { return nil }
    let byte = (component * 255).rounded()
    // A negative zero has another bit pattern than the zero that a byte stands for.
    return (byte / 255).bitPattern == component.bitPattern ? UInt8(byte) : nil
  }
}
