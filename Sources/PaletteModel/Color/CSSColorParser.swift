/// Reads one CSS color: CSS Color 4, and `hsb()` beside it.
struct CSSColorParser: Sendable {
  private var tokens: CSSTokenizer
  private var token = CSSToken.end
  /// The lightness that was written, where CSS takes it for the greatest one; nil where it is less.
  private(set) var clampedLightness: Double?

  init(_ text: some StringProtocol) {
    tokens = CSSTokenizer(text)
  }

  /// Reads the color, which must be all there is.
  mutating func color() throws(ColorParseError) -> Color {
    try advance()
    let color: Color
    switch token {
    case .end:
      throw ColorParseError("there is no color", hint: ColorParseError.examples)
    case .hash(let digits):
      color = try hash(digits)
      try advance()
    case .identifier(let name):
      color = try keyword(name)
      try advance()
    case .function(let name):
      color = try function(name)
    default:
      throw ColorParseError(
        "\(ColorParseError.quoted(token.text)) is not a color",
        hint: ColorParseError.examples
      )
    }
    guard token == .end else { throw unexpected("after the color") }
    return color
  }

  private mutating func advance() throws(ColorParseError) {
    token = try tokens.next()
  }

  private func unexpected(_ place: String) -> ColorParseError {
    ColorParseError(
      "\(ColorParseError.quoted(token.text)) is not expected \(place)",
      hint: "remove it"
    )
  }

  private func hash(_ digits: String) throws(ColorParseError) -> Color {
    guard let color = Color(hex: digits) else {
      throw ColorParseError(
        "\(ColorParseError.quoted("#" + digits)) is not a hex color",
        hint: "write 3, 4, 6 or 8 hexadecimal digits after #"
      )
    }
    return color
  }

  private func keyword(_ name: String) throws(ColorParseError) -> Color {
    if let color = CSSColorName.color(named: name) { return color }
    if name == "transparent" { return Color(red8: 0, green8: 0, blue8: 0, alpha8: 0) }
    throw CSSRefusal.keyword(name)
  }
}

/// Functions.
extension CSSColorParser {
  private mutating func function(_ name: String) throws(ColorParseError) -> Color {
    guard name == "color" else {
      guard let notation = CSSNotation(function: name) else { throw CSSRefusal.function(name) }
      try advance()
      return try components(notation, of: name)
    }
    try advance()
    try refuseRelative()
    guard case .identifier(let spaceName) = token else { throw CSSRefusal.space(token.text) }
    guard let space = ColorSpace(cssName: spaceName), space.isPredefined else {
      throw CSSRefusal.space(spaceName)
    }
    try advance()
    return try components(CSSNotation(predefined: space), of: name)
  }

  private func refuseRelative() throws(ColorParseError) {
    guard token == .identifier("from") else { return }
    throw ColorParseError(
      "relative colors (\"from\") are not supported",
      hint: "write the color that results"
    )
  }

  /// Reads the arguments and the closing parenthesis.
  private mutating func components(
    _ notation: CSSNotation,
    of function: String
  ) throws(ColorParseError) -> Color {
    try refuseRelative()
    var values: [CSSArgument] = []
    var alpha: CSSArgument?
    var hasCommas = false
    while token != .close {
      if token != .end, alpha != nil || values.count == 4 { throw unexpected("in \(function)()") }
      if token == .comma, !values.isEmpty, hasCommas || values.count == 1 {
        hasCommas = true
        try advance()
      } else if token == .slash, !hasCommas, values.count == 3 {
        try advance()
        alpha = try argument(in: function)
        continue
      } else if hasCommas {
        throw ColorParseError(
          "\(function)() separates some components by commas and some not",
          hint: "write \(notation.form)"
        )
      }
      values.append(try argument(in: function))
    }
    try advance()
    if hasCommas {
      try checkCommas(values, notation, function)
      if values.count == 4 { alpha = values.removeLast() }
    }
    return try color(values, alpha: alpha, notation, function)
  }

  private mutating func color(
    _ values: [CSSArgument],
    alpha: CSSArgument?,
    _ notation: CSSNotation,
    _ function: String
  ) throws(ColorParseError) -> Color {
    guard values.count == 3 else {
      throw ColorParseError(
        "\(function)() has \(values.count) components instead of 3",
        hint: "write \(notation.form), an alpha after a slash"
      )
    }
    let isLightness = [.lab, .lch, .oklab, .oklch].contains(notation.space)
    if isLightness, case .number(let number) = values[0],
      number > notation.components[0].range.upperBound
    {
      clampedLightness = number
    }
    return Color(
      notation.space,
      try values[0].value(of: notation.components[0]),
      try values[1].value(of: notation.components[1]),
      try values[2].value(of: notation.components[2]),
      alpha: alpha == nil ? 1 : try alpha?.alpha()
    )
  }

  /// Checks the rules of the older form with commas.
  private func checkCommas(
    _ values: [CSSArgument],
    _ notation: CSSNotation,
    _ function: String
  ) throws(ColorParseError) {
    guard notation.allowsCommas else {
      throw ColorParseError(
        "\(function)() has no form with commas",
        hint: "write \(notation.form)"
      )
    }
    guard !values.contains(.none) else {
      throw ColorParseError(
        "none cannot stand between commas",
        hint: "write \(notation.form), without commas"
      )
    }
    let isPercentage = values.prefix(3).map { if case .percentage = $0 { true } else { false } }
    if notation.space == .srgb, Set(isPercentage).count > 1 {
      throw ColorParseError(
        "\(function)() with commas mixes numbers and percentages",
        hint: "write all three the same way, or separate them by spaces"
      )
    }
    if notation.space == .hsl, isPercentage.dropFirst().contains(false) {
      throw ColorParseError(
        "\(function)() with commas needs percentages for saturation and lightness",
        hint: "add %, or separate the components by spaces"
      )
    }
  }

  private mutating func argument(in function: String) throws(ColorParseError) -> CSSArgument {
    let argument: CSSArgument
    switch token {
    case .number(let value): argument = .number(value)
    case .percentage(let value): argument = .percentage(value)
    case .dimension(let value, "deg"): argument = .degrees(value)
    case .dimension(let value, "grad"): argument = .degrees(value * 9 / 10)
    case .dimension(let value, "rad"): argument = .degrees(value * 180 / .pi)
    case .dimension(let value, "turn"): argument = .degrees(value * 360)
    case .dimension(_, let unit):
      throw ColorParseError(
        "\(ColorParseError.quoted(unit)) is no unit of a color",
        hint: "use deg, grad, rad or turn"
      )
    case .identifier("none"): argument = .none
    case .identifier(let name): throw CSSRefusal.argument(name, in: function)
    case .function(let name): throw CSSRefusal.function(name)
    case .end: throw ColorParseError("\(function)() has no end", hint: "close it with )")
    default: throw unexpected("in \(function)()")
    }
    try advance()
    return argument
  }
}

/// The words that CSS knows and a stored color cannot use, each with its own message.
enum CSSRefusal {
  /// The system colors, whose values are the reader's, in lower case.
  private static let systemColors: Set<String> = [
    "accentcolor", "accentcolortext", "activetext", "buttonborder", "buttonface", "buttontext",
    "canvas", "canvastext", "field", "fieldtext", "graytext", "highlight", "highlighttext",
    "linktext", "mark", "marktext", "selecteditem", "selecteditemtext", "visitedtext",
    "activeborder", "activecaption", "appworkspace", "background", "buttonhighlight",
    "buttonshadow", "captiontext", "inactiveborder", "inactivecaption", "inactivecaptiontext",
    "infobackground", "infotext", "menu", "menutext", "scrollbar", "threeddarkshadow",
    "threedface", "threedhighlight", "threedlightshadow", "threedshadow", "window", "windowframe",
    "windowtext",
  ]

  private static let mathFunctions: Set<String> = [
    "calc", "min", "max", "clamp", "round", "mod", "rem", "sin", "cos", "tan", "asin", "acos",
    "atan", "atan2", "pow", "sqrt", "hypot", "log", "exp", "abs", "sign",
  ]

  /// The reason why an identifier is not a color.
  static func keyword(_ name: String) -> ColorParseError {
    if name == "currentcolor" {
      return ColorParseError(
        "currentcolor depends on where it is used",
        hint: "write the color itself"
      )
    }
    if systemColors.contains(name) {
      return ColorParseError(
        "\(name) is a system color, different on every machine",
        hint: "write the color itself"
      )
    }
    if Color(hex: name) != nil {
      return ColorParseError(
        "\(ColorParseError.quoted(name)) is not a color without #",
        hint: "write #\(name)"
      )
    }
    return ColorParseError(
      "\(ColorParseError.quoted(name)) is not a CSS color name",
      hint: ColorParseError.examples
    )
  }

  /// The reason why a function is not a color, or not part of one.
  static func function(_ name: String) -> ColorParseError {
    switch name {
    case "var", "env", "attr":
      ColorParseError(
        "\(name)() is not supported: its value is elsewhere",
        hint: "write the color itself"
      )
    case "color-mix", "light-dark", "contrast-color", "device-cmyk", "color-layers", "alpha":
      ColorParseError("\(name)() is not supported", hint: "write the color that results")
    case "hsv":
      ColorParseError("hsv() is written hsb() here", hint: "write hsb(H S% B%)")
    case _ where mathFunctions.contains(name):
      ColorParseError("\(name)() is not supported", hint: "write the number that results")
    default:
      ColorParseError(
        "\(ColorParseError.quoted(name + "()")) is not a color function",
        hint: ColorParseError.examples
      )
    }
  }

  /// The reason why a word is not a component.
  static func argument(_ name: String, in function: String) -> ColorParseError {
    switch name {
    case "nan", "infinity", "-infinity":
      ColorParseError("\(name) is not a component", hint: "write a finite number")
    default:
      ColorParseError(
        "\(ColorParseError.quoted(name)) is not expected in \(function)()",
        hint: "write numbers, percentages, angles or none"
      )
    }
  }

  /// The reason why a word after `color(` is not a space.
  static func space(_ name: String) -> ColorParseError {
    let names = ColorSpace.allCases.filter(\.isPredefined).map(\.cssName)
    let isFunction = CSSNotation(function: name) != nil
    return ColorParseError(
      "\(ColorParseError.quoted(name)) is not a color space that color() knows",
      hint: isFunction ? "write \(name)(...)" : "use one of \(names.joined(separator: " "))"
    )
  }
}

/// The reason why a text is not a color, and what to write instead.
public struct ColorParseError: Error, Hashable, Sendable {
  /// The failure, as a sentence without a period.
  public let message: String
  /// The remedy, as a sentence without a period.
  public let hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }

  /// The hint where nothing better is known.
  static let examples =
    "write a CSS color such as rebeccapurple, #663399, rgb(102 51 153) or oklch(0.44 0.16 303)"

  /// A piece of the input for a message: short, on one line.
  static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(32).map { (" "..."~").contains($0) ? $0 : "?" }
    var shown = String(String.UnicodeScalarView(plain))
    if text.unicodeScalars.count > 32 { shown += "..." }
    return "'\(shown)'"
  }
}

extension ColorParseError: CustomStringConvertible {
  /// The message followed by the hint.
  public var description: String { "\(message); \(hint)" }
}
