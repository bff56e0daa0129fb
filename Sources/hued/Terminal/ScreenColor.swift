/// A color as a terminal shows it, with its alpha.
struct ScreenColor: Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: UInt8 = 255

  /// Reads `#rrggbb` or `#rrggbbaa`.
  init?(hex: String) {
    let digits = hex.utf8.dropFirst().map { Self.value(ofDigit: $0) }
    guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
      !digits.contains(nil)
    else { return nil }
    let values = digits.compactMap(\.self)
    let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
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

  /// What is seen when the color lies over a grey.
  func over(grey: UInt8) -> ScreenColor {
    func mix(_ component: UInt8) -> UInt8 {
      let sum = Int(component) * Int(alpha) + Int(grey) * (255 - Int(alpha))
      return UInt8(truncatingIfNeeded: (sum + 127) / 255)
    }
    return ScreenColor(red: mix(red), green: mix(green), blue: mix(blue))
  }

  /// Whether black text is easier to read on it than white.
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

  private static let levels = [0, 95, 135, 175, 215, 255]

  private static func step(of value: Int) -> Int {
    levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
  }

  private func distance(to other: [Int]) -> Int {
    zip([red, green, blue], other).reduce(0) { sum, pair in
      sum + (Int(pair.0) - pair.1) * (Int(pair.0) - pair.1)
    }
  }

  private static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
