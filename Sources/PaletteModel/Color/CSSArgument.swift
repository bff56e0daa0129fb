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
