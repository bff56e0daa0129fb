/// A color value as its author wrote it.
///
/// That is a space, three components in the units of that space, and an alpha. A component that is
/// CSS `none` is nil.
public struct Color: Hashable, Sendable {
  /// The space in which the color was authored.
  public var space: ColorSpace
  /// The first component, nil for `none`.
  public var first: Double?
  /// The second component, nil for `none`.
  public var second: Double?
  /// The third component, nil for `none`.
  public var third: Double?
  /// The opacity from 0 to 1, nil for `none`.
  public var alpha: Double?

  /// Creates a color from components in the units of `space`.
  public init(
    _ space: ColorSpace,
    _ first: Double?,
    _ second: Double?,
    _ third: Double?,
    alpha: Double? = 1
  ) {
    self.space = space
    self.first = first
    self.second = second
    self.third = third
    self.alpha = alpha
  }

  /// Creates an sRGB color from bytes.
  public init(red8: UInt8, green8: UInt8, blue8: UInt8, alpha8: UInt8 = 255) {
    self.init(
      .srgb,
      Double(red8) / 255,
      Double(green8) / 255,
      Double(blue8) / 255,
      alpha: Double(alpha8) / 255
    )
  }

  /// The three components in order.
  public var components: [Double?] {
    get { [first, second, third] }
    set {
      precondition(newValue.count == 3, "a color has three components")
      (first, second, third) = (newValue[0], newValue[1], newValue[2])
    }
  }

  /// True if no component is infinite or not a number.
  public var isFinite: Bool {
    (first ?? 0).isFinite && (second ?? 0).isFinite && (third ?? 0).isFinite
      && (alpha ?? 0).isFinite
  }

  /// Red, green, blue and alpha as bytes, nil unless they say exactly the same as the color.
  ///
  /// That is the case for an sRGB color without `none` whose components are all whole 255ths.
  public var bytes8: (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)? {
    guard let opaque = opaqueBytes8, let alpha = alpha?.exactByte else { return nil }
    return (opaque.red, opaque.green, opaque.blue, alpha)
  }

  /// As `bytes8`, whatever the alpha.
  var opaqueBytes8: (red: UInt8, green: UInt8, blue: UInt8)? {
    guard space == .srgb, let red = first?.exactByte, let green = second?.exactByte,
      let blue = third?.exactByte
    else { return nil }
    return (red, green, blue)
  }

  /// The color in another space, as CSS Color 4 converts it.
  ///
  /// A `none` counts as zero: CSS carries it over for interpolation only, where it is not the color
  /// that is looked for. When the result is so nearly grey that its hue means nothing, the hue is nil and the color is
  /// exactly grey. RGB, XYZ and the rest are not clamped. In its own space a color is returned as it
  /// was authored.
  public func converted(to destination: ColorSpace) -> Color {
    guard destination != space else { return self }
    let result = space.convert(coordinates, to: destination)
    var color = Color(destination, result.x, result.y, result.z, alpha: alpha)
    color.removePowerlessHue()
    return color
  }

  /// The components in `space`, nil for `none` and for a hue that means nothing, even one that its
  /// author wrote.
  public func components(in space: ColorSpace) -> [Double?] {
    var color = converted(to: space)
    color.removePowerlessHue()
    return color.components
  }

  /// The components as numbers, `none` being zero.
  var coordinates: SIMD3<Double> {
    SIMD3(first ?? 0, second ?? 0, third ?? 0)
  }

  /// Makes the hue nil, and the color exactly grey, where colorfulness is within CSS Color 4's
  /// epsilon for the space.
  private mutating func removePowerlessHue() {
    switch space {
    case .hsb, .hsl:
      guard let saturation = second, saturation <= 0.001 else { return }
      (first, second) = (nil, 0)
    case .hwb:
      guard let white = second, let black = third, white + black >= 99.999 else { return }
      first = nil
      if white + black < 100 { third = 100 - white }
    case .lch:
      guard let chroma = second, chroma <= 0.0015 else { return }
      (second, third) = (0, nil)
    case .oklch:
      guard let chroma = second, chroma <= 0.000004 else { return }
      (second, third) = (0, nil)
    case .srgb, .srgbLinear, .displayP3, .a98RGB, .prophotoRGB, .rec2020: return
    case .xyzD65, .xyzD50, .lab, .oklab: return
    }
  }

  /// Creates an sRGB color from 3, 4, 6 or 8 hexadecimal digits, without `#`.
  public init?(hex: some StringProtocol) {
    self.init(hexDigits: hex.utf8)
  }

  /// Creates an sRGB color from 3, 4, 6 or 8 ASCII hexadecimal digits.
  init?(hexDigits: some Collection<UInt8>) {
    var value: UInt32 = 0
    var count = 0
    for byte in hexDigits {
      guard count < 8, let digit = byte.hexValue else { return nil }
      value = value << 4 | UInt32(digit)
      count += 1
    }
    switch count {
    case 3: value = Self.doubled(value << 4 | 0xF)
    case 4: value = Self.doubled(value)
    case 6: value = value << 8 | 0xFF
    case 8: break
    default: return nil
    }
    self.init(
      red8: UInt8(value >> 24),
      green8: UInt8(value >> 16 & 0xFF),
      blue8: UInt8(value >> 8 & 0xFF),
      alpha8: UInt8(value & 0xFF)
    )
  }

  /// Four hexadecimal digits, each twice.
  private static func doubled(_ digits: UInt32) -> UInt32 {
    ((digits & 0xF000) << 12 | (digits & 0xF00) << 8 | (digits & 0xF0) << 4 | digits & 0xF) * 17
  }

  /// `#rrggbb`, or `#rrggbbaa` when not opaque: gamut mapped, rounded to nearest.
  ///
  /// A `none` counts as zero, in alpha too.
  public var hex: String {
    let rgb: SIMD3<Double>
    // Most colors are sRGB inside the gamut: no conversion is needed.
    if space == .srgb, coordinates.min() >= 0, coordinates.max() <= 1 {
      rgb = coordinates
    } else {
      rgb = mappedRGB
    }
    let alpha = (alpha ?? 0).unitByte
    return Self.hex(rgb.x.unitByte, rgb.y.unitByte, rgb.z.unitByte, alpha)
  }

  private static func hex(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> String {
    let count = alpha == 255 ? 7 : 9
    return String(unsafeUninitializedCapacity: count) { buffer in
      buffer[0] = UInt8(ascii: "#")
      let value = UInt64(red) << 24 | UInt64(green) << 16 | UInt64(blue) << 8 | UInt64(alpha)
      for index in 1..<count {
        buffer[index] = UInt8.hexDigit(value >> UInt64(32 - 4 * index))
      }
      return count
    }
  }

  /// The CSS color name nearest to the color by CIEDE2000, with that name's color and the distance.
  ///
  /// Of two names for one color it is the first in the alphabet. Alpha does not count.
  public var nearestCSSName: (name: String, color: Color, deltaE: Double) {
    let lab = space.convert(coordinates, to: .lab)
    var best = (index: 0, deltaE: Double.infinity)
    for (index, candidate) in CSSColorName.labs.enumerated() {
      let deltaE = Self.deltaE2000(lab, candidate)
      if deltaE < best.deltaE { best = (index, deltaE) }
    }
    let entry = CSSColorName.all[best.index]
    return (entry.name, CSSColorName.color(entry.rgb), best.deltaE)
  }

  /// The names of CSS, in alphabetical order.
  public static var cssNames: [String] { CSSColorName.all.map(\.name) }

  /// The names of CSS with their colors, in alphabetical order.
  public static var cssColors: [(name: String, color: Color)] {
    CSSColorName.all.map { ($0.name, CSSColorName.color($0.rgb)) }
  }

  /// The names of CSS whose colors are nearest to the color by CIEDE2000, the nearest first.
  ///
  /// Of two names for one color it is the first in the alphabet. Alpha does not count.
  public func cssNames(nearest count: Int) -> [String] {
    let lab = space.convert(coordinates, to: .lab)
    let distances = CSSColorName.labs.map { Self.deltaE2000(lab, $0) }
    var colors: Set<UInt32> = []
    return distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
      .filter { colors.insert(CSSColorName.all[$0].rgb).inserted }
      .prefix(count).map { CSSColorName.all[$0].name }
  }
}

extension Double {
  /// The byte whose 255th part is exactly this number.
  fileprivate var exactByte: UInt8? {
    guard self >= 0, self <= 1 else { return nil }
    let byte = (self * 255).rounded()
    return byte / 255 == self ? UInt8(byte) : nil
  }

  /// The nearest byte to a number in 0...1; what lies outside goes to the nearer end.
  var unitByte: UInt8 {
    // Not-a-number fails this comparison too.
    guard self > 0 else { return 0 }
    return self < 1 ? UInt8((self * 255).rounded()) : 255
  }
}

extension CSSColorName {
  /// The Lab values of `all`, in the same order.
  fileprivate static let labs = all.map { entry in
    ColorSpace.srgb.convert(color(entry.rgb).coordinates, to: .lab)
  }
}
