extension Color {
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

  /// Whether no component is infinite or not a number.
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
}

extension Double {
  /// The byte whose 255th part is exactly this number.
  fileprivate var exactByte: UInt8? {
    guard self >= 0, self <= 1 else { return nil }
    let byte = (self * 255).rounded()
    return byte / 255 == self ? UInt8(byte) : nil
  }
}
