extension Double {
  /// The number without the last digits, where conversions leave rounding errors.
  var withoutNoise: Double {
    let scale = 1e12
    let scaled = self * scale
    // Beyond 2^53 there is nothing behind the point that could be rounded.
    guard scaled.magnitude < 0x1p53 else { return self }
    // Nobody wants to read a negative zero either.
    return scaled.rounded() / scale + 0
  }
}

extension [Double?] {
  var withoutNoise: [Double?] { map { $0?.withoutNoise } }
}
