/// Patches of color.
enum Swatch {
  /// A patch of some columns; a color that is not opaque lies over a checker.
  static func patch(_ hex: String?, width: Int, row: Int = 0, depth: ColorDepth) -> String {
    guard depth != .none, let color = hex.flatMap(ScreenColor.init(hex:)) else { return "" }
    guard color.alpha < 255 else {
      return background(color, depth) + String(repeating: " ", count: width) + reset
    }
    return (0..<width).map { column in
      let isLight = (column / 2 + row).isMultiple(of: 2)
      return background(color.over(grey: isLight ? 255 : 153), depth) + " "
    }.joined() + reset
  }

  /// A text on its own color.
  static func label(_ hex: String, depth: ColorDepth) -> String {
    guard depth != .none, let color = ScreenColor(hex: hex)?.over(grey: 255) else { return hex }
    return background(color, depth) + (color.isLight ? "\u{1B}[30m" : "\u{1B}[97m") + hex + reset
  }

  static let reset = "\u{1B}[0m"

  private static func background(_ color: ScreenColor, _ depth: ColorDepth) -> String {
    switch depth {
    case .none: ""
    case .indexed256: "\u{1B}[48;5;\(color.index256)m"
    case .truecolor: "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m"
    }
  }
}
