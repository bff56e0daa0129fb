extension Color {
  /// Creates a color from any CSS Color 4 notation, or `hsb(H S% B%)`.
  ///
  /// Hues are normalised to 0..<360; what CSS clamps when it parses is clamped. Everything else is
  /// kept as it is written.
  /// - Throws: A message that says what is wrong, also for what CSS allows but a stored color cannot
  ///   be: `calc()`, `var()`, relative colors, `currentcolor` and system colors.
  public init(css: some StringProtocol) throws(ColorParseError) {
    if css.utf8.first == UInt8(ascii: "#"), let color = Color(hexDigits: css.utf8.dropFirst()) {
      self = color
      return
    }
    try Self.refuseBareHex(css)
    var parser = CSSColorParser(css)
    self = try parser.color()
  }

  /// Digits alone would be read as a number, and the message would not help.
  private static func refuseBareHex(_ text: some StringProtocol) throws(ColorParseError) {
    guard let first = text.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      Color(hexDigits: text.utf8) != nil
    else { return }
    throw CSSRefusal.keyword(String(text))
  }

  /// The color as CSS text in the space it was authored in, which parses back to the same color.
  ///
  /// An sRGB color of whole bytes is `rgb(r, g, b)` or `rgba(r, g, b, a)`.
  public var css: String {
    if let bytes = opaqueBytes8, let alpha {
      let head = alpha == 1 ? "rgb(" : "rgba("
      let tail = alpha == 1 ? ")" : ", \(alpha.cssText))"
      return Self.rgb([bytes.red, bytes.green, bytes.blue], head, tail)
    }
    let suffix = alpha == 1 ? "" : " / \(Self.text(alpha))"
    guard !space.isPredefined, let notation = CSSNotation(function: space.cssName) else {
      let list = components.map(Self.text).joined(separator: " ")
      return "color(\(space.cssName) \(list)\(suffix))"
    }
    let list = zip(components, notation.components).map { value, component in
      component.isPercentage && value != nil ? "\(Self.text(value))%" : Self.text(value)
    }
    return "\(space.cssName)(\(list.joined(separator: " "))\(suffix))"
  }

  /// Three bytes in decimal between two texts, written at once: most colors are.
  private static func rgb(_ components: [3 of UInt8], _ head: String, _ tail: String) -> String {
    String(unsafeUninitializedCapacity: head.utf8.count + tail.utf8.count + 13) { buffer in
      var count = 0
      func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
      }
      for byte in head.utf8 { append(byte) }
      for index in components.indices {
        if index > 0 {
          append(UInt8(ascii: ","))
          append(UInt8(ascii: " "))
        }
        let value = components[index]
        if value >= 100 { append(UInt8(ascii: "0") + value / 100) }
        if value >= 10 { append(UInt8(ascii: "0") + value / 10 % 10) }
        append(UInt8(ascii: "0") + value % 10)
      }
      for byte in tail.utf8 { append(byte) }
      return count
    }
  }

  private static func text(_ value: Double?) -> String {
    value?.cssText ?? "none"
  }
}

extension Color: CustomStringConvertible {
  /// The color as CSS text.
  public var description: String { css }
}
