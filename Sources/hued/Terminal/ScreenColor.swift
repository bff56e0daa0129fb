import PaletteModel

/// A color as a terminal shows it, with its alpha.
struct ScreenColor: Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: UInt8 = 255

  /// Reads `#rrggbb` or `#rrggbbaa`.
  init?(hex: String) {
    guard hex.hasPrefix("#"), let bytes = [UInt8](hexDigits: hex.utf8.dropFirst()),
      bytes.count == 3 || bytes.count == 4
    else { return nil }
    red = bytes[0]
    green = bytes[1]
    blue = bytes[2]
    if bytes.count == 4 { alpha = bytes[3] }
  }

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The visible color over a grey.
  func over(grey: UInt8) -> ScreenColor {
    func mix(_ component: UInt8) -> UInt8 {
      let sum = Int(component) * Int(alpha) + Int(grey) * (255 - Int(alpha))
      return UInt8(truncatingIfNeeded: (sum + 127) / 255)
    }
    return ScreenColor(red: mix(red), green: mix(green), blue: mix(blue))
  }

  /// True if black text is easier to read on it than white.
  var isLight: Bool { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 140_000 }

  /// The nearest of the 216 colors and 24 greys that terminals with 256 colors have in common.
  var index256: Int {
    let cube = [red, green, blue].map { Self.step(of: Int($0)) }
    let cubeIndex = 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    let greyStep = min(23, max(0, ((Int(red) + Int(green) + Int(blue)) / 3 - 3) / 10))
    let cubeDistance = distance(to: cube.map { Self.levels[$0] })
    let greyDistance = distance(to: Array(repeating: 8 + 10 * greyStep, count: 3))
    return greyDistance < cubeDistance ? 232 + greyStep : cubeIndex
  }

  /// The parameter that chooses the nearest of the 16 colors that every color terminal has.
  func code16(isBackground: Bool) -> Int {
    let palette = (0..<16).map { index in
      let level = index < 8 ? 170 : 255
      let low = index < 8 ? 0 : 85
      return [0, 1, 2].map { index & (1 << $0) != 0 ? level : low }
    }
    let index = palette.indices.min { distance(to: palette[$0]) < distance(to: palette[$1]) } ?? 0
    return (index < 8 ? 30 + index : 82 + index) + (isBackground ? 10 : 0)
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  private static func step(of value: Int) -> Int {
    levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
  }

  private func distance(to other: [Int]) -> Int {
    zip([red, green, blue], other).reduce(0) { sum, pair in
      sum + (Int(pair.0) - pair.1) * (Int(pair.0) - pair.1)
    }
  }
}

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

  /// A text in a color, on the terminal's own ground.
  static func paint(_ text: String, in hex: String, depth: ColorDepth) -> String {
    guard depth != .none, let color = ScreenColor(hex: hex) else { return text }
    return choosing(color, isBackground: false, depth) + text + reset
  }

  static let reset = "\u{1B}[0m"

  private static func background(_ color: ScreenColor, _ depth: ColorDepth) -> String {
    choosing(color, isBackground: true, depth)
  }

  /// The sequence by which a terminal takes a color for what follows.
  private static func choosing(
    _ color: ScreenColor,
    isBackground: Bool,
    _ depth: ColorDepth
  ) -> String {
    let ground = isBackground ? 48 : 38
    return switch depth {
    case .none: ""
    case .indexed16: "\u{1B}[\(color.code16(isBackground: isBackground))m"
    case .indexed256: "\u{1B}[\(ground);5;\(color.index256)m"
    case .truecolor: "\u{1B}[\(ground);2;\(color.red);\(color.green);\(color.blue)m"
    }
  }
}

/// Draws a QR code on a terminal: two rows a line, since a character is about twice as high as wide.
enum HalfBlocks {
  /// The number of light modules that surround the code.
  private static let border = 4

  /// The code in black and white whatever the terminal's own colors are, as readers want it.
  ///
  /// - Parameters:
  ///   - rows: The rows from above, of the digits 1 (dark) and 0.
  ///   - columns: How wide the terminal is.
  /// - Returns: The lines; nil where they would not fit.
  static func text(_ rows: [String], columns: Int) -> String? {
    let side = rows.count + 2 * border
    guard side <= columns else { return nil }
    let modules = rows.map { row in row.utf8.map { $0 == UInt8(ascii: "1") } }
    func isDark(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - border, column - border)
      guard modules.indices.contains(row), modules[row].indices.contains(column) else {
        return false
      }
      return modules[row][column]
    }
    return stride(from: 0, to: side, by: 2).map { row in
      let line = (0..<side).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // Black on white of the 256 colors, which themes leave alone.
      return "\u{1B}[38;5;16;48;5;231m" + line.joined() + Swatch.reset + "\n"
    }.joined()
  }
}
