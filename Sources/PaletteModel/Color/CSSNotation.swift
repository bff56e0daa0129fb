/// The notation of one CSS function with its three components.
struct CSSNotation: Sendable {
  /// The notation of one component.
  struct Component: Sendable {
    /// True if the component is an angle rather than a number or percentage.
    var isHue = false
    /// The number by which a plain number is divided.
    var numberDivisor = 1.0
    /// The number by which a percentage is multiplied, before it is divided by `percentDivisor`.
    var percentFactor = 1.0
    var percentDivisor = 1.0
    /// The range to which CSS clamps the component when it parses it.
    var range = -Double.infinity...Double.infinity
    /// True if the component is written as a percentage.
    var isPercentage = false

    static let hue = Component(isHue: true)
    /// A percentage that may also be written as a plain number.
    static let percentage = Component(isPercentage: true)
    static let saturation = Component(range: 0...(.infinity), isPercentage: true)
    static let unit = Component(percentDivisor: 100)
    static let byte = Component(numberDivisor: 255, percentDivisor: 100, range: 0...1)
  }

  let space: ColorSpace
  let components: [Component]
  /// True if the form with commas exists.
  var allowsCommas = false

  /// The notation of a function other than `color()`, nil if there is none.
  init?(function: String) {
    let components: [Component]
    switch function {
    case "rgb", "rgba":
      (space, components) = (.srgb, [.byte, .byte, .byte])
    case "hsl", "hsla":
      (space, components) = (.hsl, [.hue, .saturation, .percentage])
    case "hsb":
      (space, components) = (.hsb, [.hue, .saturation, .percentage])
    case "hwb":
      (space, components) = (.hwb, [.hue, .percentage, .percentage])
    case "lab":
      let axis = Component(percentFactor: 1.25)
      (space, components) = (.lab, [Component(range: 0...100), axis, axis])
    case "lch":
      let chroma = Component(percentFactor: 1.5, range: 0...(.infinity))
      (space, components) = (.lch, [Component(range: 0...100), chroma, .hue])
    case "oklab":
      let axis = Component(percentDivisor: 250)
      (space, components) = (.oklab, [Component(percentDivisor: 100, range: 0...1), axis, axis])
    case "oklch":
      let chroma = Component(percentDivisor: 250, range: 0...(.infinity))
      (space, components) = (.oklch, [Component(percentDivisor: 100, range: 0...1), chroma, .hue])
    default:
      return nil
    }
    self.components = components
    allowsCommas = ["rgb", "rgba", "hsl", "hsla"].contains(function)
  }

  /// The notation of `color()` with the name of a space.
  init(predefined space: ColorSpace) {
    self.space = space
    components = [.unit, .unit, .unit]
  }

  /// The names of the three components, for messages.
  var form: String {
    switch space {
    case .srgb: "rgb(R G B)"
    case .hsb: "hsb(H S% B%)"
    case .hsl: "hsl(H S% L%)"
    case .hwb: "hwb(H W% B%)"
    case .lab: "lab(L A B)"
    case .lch: "lch(L C H)"
    case .oklab: "oklab(L A B)"
    case .oklch: "oklch(L C H)"
    default: "color(\(space.cssName) X Y Z)"
    }
  }
}

/// One argument of a color function.
enum CSSArgument: Hashable, Sendable {
  case number(Double)
  case percentage(Double)
  case degrees(Double)
  case none

  /// The argument as the value of `component`, nil for `none`.
  ///
  /// - Throws: If the component cannot be written this way, or the value overflows.
  func value(of component: CSSNotation.Component) throws(ColorParseError) -> Double? {
    let value: Double
    switch self {
    case .none: return nil
    case .number(let number) where component.isHue: value = number.normalizedDegrees
    case .degrees(let degrees) where component.isHue: value = degrees.normalizedDegrees
    case .number(let number): value = number / component.numberDivisor
    case .percentage(let percent) where !component.isHue:
      value = percent * component.percentFactor / component.percentDivisor
    case .percentage(let percent):
      throw ColorParseError(
        "\(percent.cssText)% is not a hue",
        hint: "write an angle such as 120 or 120deg"
      )
    case .degrees(let degrees):
      throw ColorParseError(
        "an angle (\(degrees.cssText) degrees) stands where a number or percentage belongs",
        hint: "remove the unit"
      )
    }
    let range = component.range
    let clamped = Swift.min(Swift.max(value, range.lowerBound), range.upperBound)
    guard clamped.isFinite else {
      throw ColorParseError("a component is too large a number", hint: "write a smaller one")
    }
    return clamped == 0 ? 0 : clamped
  }

  /// The argument as an alpha in 0...1, nil for `none`.
  func alpha() throws(ColorParseError) -> Double? {
    switch self {
    case .degrees:
      throw ColorParseError(
        "the alpha is an angle",
        hint: "write a number from 0 to 1 or a percentage"
      )
    case .none, .number, .percentage:
      try value(of: CSSNotation.Component(percentDivisor: 100, range: 0...1))
    }
  }
}
