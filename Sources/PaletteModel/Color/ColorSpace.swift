/// A color space in which a color can be authored.
///
/// The raw values travel in changes: never reuse one.
public enum ColorSpace: UInt8, CaseIterable, Hashable, Sendable {
  /// Red, green, blue of sRGB, each 0 to 1.
  case srgb = 0
  /// Hue in degrees, saturation and brightness 0 to 100.
  case hsb = 1
  /// Hue in degrees, saturation and lightness 0 to 100.
  case hsl = 2
  /// Hue in degrees, whiteness and blackness 0 to 100.
  case hwb = 3
  /// CIE Lab (D50), lightness 0 to 100.
  case lab = 4
  /// CIE LCH (D50), lightness 0 to 100, hue in degrees.
  case lch = 5
  /// OKLab, lightness 0 to 1.
  case oklab = 6
  /// OKLCH, lightness 0 to 1, hue in degrees.
  case oklch = 7
  /// Display P3, each component 0 to 1.
  case displayP3 = 8
  /// Linear-light sRGB, each component 0 to 1.
  case srgbLinear = 9
  /// CIE XYZ relative to D65.
  case xyzD65 = 10
  /// CIE XYZ relative to D50.
  case xyzD50 = 11
  /// Adobe RGB (1998), each component 0 to 1.
  case a98RGB = 12
  /// ProPhoto RGB, each component 0 to 1.
  case prophotoRGB = 13
  /// Rec. 2020, each component 0 to 1.
  case rec2020 = 14
}
