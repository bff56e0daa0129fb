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
