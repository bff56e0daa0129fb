extension Color {
  /// Creates a color from any CSS Color 4 notation, or `hsb(H S% B%)`.
  ///
  /// Hues are normalised to 0..<360; what CSS clamps when it parses is clamped. Everything else is
  /// kept as it is written.
  /// - Throws: A message that says what is wrong, also for what CSS allows but a stored color cannot
  ///   be: `calc()`, `var()`, relative colors, `currentcolor` and system colors.
  public init(_ css: String) throws(ColorParseError) {
    try self.init(css: css)
  }

  /// Reads a color as CSS writes it.
  ///
  /// - Throws: What is wrong with the text.
  public init(css: some StringProtocol) throws(ColorParseError) {
    if css.utf8.first == UInt8(ascii: "#"), let color = Color(hexDigits: css.utf8.dropFirst()) {
      self = color
      return
    }
    try Self.refuseBareHex(css)
    var parser = CSSColorParser(css)
    self = try parser.color()
  }

  /// The lightness of a CSS color that is too great a number, as `oklch(70 0.1 20)` has it, which makes the
  /// color white; nil where it is not, or the text is no color.
  package static func clampedLightness(ofCSS text: String) -> Double? {
    var parser = CSSColorParser(text)
    return (try? parser.color()).flatMap { _ in parser.clampedLightness }
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
    var bytes: [UInt8] = []
    if appendRGB(to: &bytes) { return String(decoding: bytes, as: UTF8.self) }
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

  /// Appends the color as CSS text, which is ASCII without quotes and backslashes.
  package func appendCSS(to text: inout [UInt8]) {
    if !appendRGB(to: &text) { text += css.utf8 }
  }

  /// Appends `rgb(...)` or `rgba(...)`, as most colors are written; false for others.
  private func appendRGB(to text: inout [UInt8]) -> Bool {
    guard let bytes = opaqueBytes8, let alpha else { return false }
    text += (alpha == 1 ? "rgb(" : "rgba(").utf8
    Self.append(bytes.red, to: &text)
    text += ", ".utf8
    Self.append(bytes.green, to: &text)
    text += ", ".utf8
    Self.append(bytes.blue, to: &text)
    if alpha != 1 {
      text += ", ".utf8
      text += alpha.cssText.utf8
    }
    text.append(UInt8(ascii: ")"))
    return true
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    if byte >= 100 { text.append(UInt8(ascii: "0") + byte / 100) }
    if byte >= 10 { text.append(UInt8(ascii: "0") + byte / 10 % 10) }
    text.append(UInt8(ascii: "0") + byte % 10)
  }

  private static func text(_ value: Double?) -> String {
    value?.cssText ?? "none"
  }
}

extension Color: CustomStringConvertible {
  /// The color as CSS text.
  public var description: String { css }
}

extension Double {
  /// The shortest CSS number that parses back to this very number.
  ///
  /// Written out without an exponent, except where that would take a long row of zeros.
  var cssText: String {
    guard self != 0, isFinite else { return self == 0 ? "0" : description }
    var text = description
    // Bytes are compared, since finding characters costs more than writing the digits.
    if text.utf8.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(text[text.index(after: mark)...]), abs(exponent) <= 24
    else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    guard exponent > 0 else {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
  }
}
