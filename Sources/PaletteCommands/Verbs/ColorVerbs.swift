internal import PaletteFormats
internal import PaletteModel

/// The commands that tell facts about colors and need no library.
enum ColorVerbs {
  /// `color VALUE`: a color in several notations.
  static func color(_ parameters: Parameters) throws(APIError) -> [UInt8] {
    let color = try parameters.color("value")
    let shown = color.gamutMapped
    let rgb = color.rgb
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("color", color.css)
    writer.member("hex", color.hex)
    writer.member("name", color.nearestCSSName.name)
    writer.member("rgb", [rgb.red, rgb.green, rgb.blue].withoutNoise)
    writer.member("hsb", shown.components(in: .hsb).withoutNoise)
    writer.member("hsl", shown.components(in: .hsl).withoutNoise)
    writer.member("oklch", color.components(in: .oklch).withoutNoise)
    writer.member("alpha", color.alpha)
    writer.member("inGamut", color.isInGamut)
    writer.endObject()
    return writer.bytes
  }

  /// `convert VALUE --to SPACE`: a color in another space.
  static func convert(_ parameters: Parameters) throws(APIError) -> [UInt8] {
    let color = try parameters.color("value")
    let space = try space(try parameters.text("to"))
    var writer = JSONWriter()
    writer.beginObject()
    var converted = color.converted(to: space)
    // What was authored stays as it was; a computed number is read by people.
    if space != color.space { converted.components = converted.components.withoutNoise }
    writer.member("color", converted.css)
    writer.member("space", space.cssName)
    writer.member("components", color.components(in: space).withoutNoise)
    writer.member("alpha", color.alpha)
    writer.member("hex", color.hex)
    writer.endObject()
    return writer.bytes
  }

  /// `contrast A B`: the WCAG ratio and the levels that it reaches.
  static func contrast(_ parameters: Parameters) throws(APIError) -> [UInt8] {
    let contrast = try parameters.color("a").contrast(with: try parameters.color("b"))
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("ratio", contrast.ratio.withoutNoise)
    for (level, verdict) in [("aa", contrast.aa), ("aaa", contrast.aaa)] {
      writer.key(level)
      writer.beginObject()
      writer.member("normal", verdict.normal)
      writer.member("large", verdict.large)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }

  /// `name VALUE`: the nearest CSS name and how far away it is.
  static func name(_ parameters: Parameters) throws(APIError) -> [UInt8] {
    let nearest = try parameters.color("value").nearestCSSName
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("name", nearest.name)
    writer.member("hex", nearest.color.hex)
    writer.member("deltaE", nearest.deltaE.withoutNoise)
    writer.endObject()
    return writer.bytes
  }

  private static func space(_ name: String) throws(APIError) -> ColorSpace {
    if let space = ColorSpace(cssName: name) { return space }
    let names = ColorSpace.allCases.map(\.cssName)
    throw APIError(
      code: "bad-value",
      message: "there is no color space '\(name)'",
      hint: Spelling.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
        ?? "the spaces are \(names.joined(separator: ", "))"
    )
  }
}

extension Double {
  /// The number without the last digits, where conversions leave rounding errors.
  fileprivate var withoutNoise: Double {
    let scale = 1e12
    let scaled = self * scale
    // Beyond 2^53 there is nothing behind the point that could be rounded.
    guard scaled.magnitude < 0x1p53 else { return self }
    // Nobody wants to read a negative zero either.
    return scaled.rounded() / scale + 0
  }
}

extension [Double] {
  fileprivate var withoutNoise: [Double?] { map(\.withoutNoise) }
}

extension [Double?] {
  fileprivate var withoutNoise: [Double?] { map { $0?.withoutNoise } }
}
