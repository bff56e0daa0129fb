/// A color as a color picker edits it: hue, saturation and brightness, and everything else derived.
///
/// Red, green, blue and hex follow from the three; setting those sets the three. Setting what is
/// already shown changes nothing, so views bound both ways do not push values to and fro. Hue and
/// saturation survive grey and black, where RGB alone would lose them, so sliders never jump.
public struct HSBColor: Hashable, Sendable {
  /// The hue in 0...360.
  ///
  /// What lies outside a range is moved to its end; what is not a number is ignored.
  public var hue: Double {
    didSet { hue = hue.clamped(to: 360, else: oldValue) }
  }
  /// The saturation in 0...100.
  public var saturation: Double {
    didSet { saturation = saturation.clamped(to: 100, else: oldValue) }
  }
  /// The brightness in 0...100.
  public var brightness: Double {
    didSet { brightness = brightness.clamped(to: 100, else: oldValue) }
  }
  /// The opacity in 0...1.
  public var alpha: Double {
    didSet { alpha = alpha.clamped(to: 1, else: oldValue) }
  }

  /// Creates a color from slider values.
  public init(hue: Double, saturation: Double, brightness: Double, alpha: Double = 1) {
    self.hue = hue.clamped(to: 360, else: 0)
    self.saturation = saturation.clamped(to: 100, else: 0)
    self.brightness = brightness.clamped(to: 100, else: 0)
    self.alpha = alpha.clamped(to: 1, else: 1)
  }

  /// Creates the model of a color; a hue that means nothing is 0.
  public init(_ color: Color) {
    self.init(hue: 0, saturation: 0, brightness: 0)
    self.color = color
  }

  /// The color, in HSB.
  ///
  /// Setting an HSB color takes over what it says. Any other that looks the same, byte for byte,
  /// changes nothing; one outside the sRGB gamut is gamut mapped.
  public var color: Color {
    get { Color(.hsb, hue, saturation, brightness, alpha: alpha) }
    set {
      if newValue.space == .hsb, newValue.isInGamut {
        hue = newValue.first ?? hue
        saturation = newValue.second ?? saturation
        brightness = newValue.third ?? brightness
        alpha = newValue.alpha ?? 0
        return
      }
      guard newValue.hex != hex else { return }
      alpha = newValue.alpha ?? 0
      let hsb = newValue.gamutMapped.components(in: .hsb)
      brightness = hsb[2] ?? 0
      guard brightness > 0 else { return }
      saturation = hsb[1] ?? 0
      hue = hsb[0] ?? hue
    }
  }

  /// Red, green and blue in 0...255, not rounded.
  public var rgb: (red: Double, green: Double, blue: Double) {
    get { color.rgb }
    set {
      let old = rgb
      color = Color(
        .srgb,
        newValue.red.clamped(to: 255, else: old.red) / 255,
        newValue.green.clamped(to: 255, else: old.green) / 255,
        newValue.blue.clamped(to: 255, else: old.blue) / 255,
        alpha: alpha
      )
    }
  }

  /// Red, green and blue as bytes, the ones that `hex` shows.
  public var rgb8: (red: UInt8, green: UInt8, blue: UInt8) {
    let rgb = color.mappedRGB
    return (rgb.x.unitByte, rgb.y.unitByte, rgb.z.unitByte)
  }

  /// `#rrggbb`, or `#rrggbbaa` when not opaque.
  public var hex: String { color.hex }
}

extension Double {
  fileprivate func clamped(to upper: Double, else fallback: Double) -> Double {
    isNaN ? fallback : Swift.min(Swift.max(self, 0), upper)
  }
}
