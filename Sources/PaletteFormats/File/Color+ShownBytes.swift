internal import PaletteModel

extension Color {
  /// The same color, fully opaque.
  var opaque: Color { Color(space, first, second, third) }

  /// Red, green and blue from 0 to 1, gamut mapped.
  var shownParts: [Double] {
    let rgb = rgb
    return [rgb.red / 255, rgb.green / 255, rgb.blue / 255]
  }

  /// The color as bytes, gamut mapped and without its opacity.
  var shownBytes: (red: UInt8, green: UInt8, blue: UInt8) {
    let rgb = rgb
    return (rgb.red.nearestByte, rgb.green.nearestByte, rgb.blue.nearestByte)
  }
}

extension Double {
  /// The nearest byte; not-a-number, which absurd components may lead to, is 0.
  fileprivate var nearestByte: UInt8 {
    guard self > 0 else { return 0 }
    return self < 255 ? UInt8(rounded()) : 255
  }
}
