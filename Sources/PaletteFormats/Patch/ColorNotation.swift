internal import PaletteJSON
internal import PaletteModel

/// Writes a color in the notation that another one has in a file, where that can hold it.
enum ColorNotation {
  /// The color as the text `old` writes its own; else as a stylesheet has it.
  static func text(of color: Color, like old: String, isPadded: Bool = false) -> String {
    let plain = old.trimmed
    if shows(plain, color) { return plain }
    var texts: [String] = []
    if let digits = digits(of: color, like: plain) { texts.append(digits) }
    if let numbers = numbers(of: color, like: old, isPadded: isPadded) { texts.append(numbers) }
    if let function = function(of: color, like: plain) { texts.append(function) }
    if plain.allSatisfy(\.isLetter), let name = name(of: color) { texts.append(name) }
    return texts.first { holds($0, color) } ?? color.stylesheetText
  }

  /// Returns whether digits show a color as it is seen, though it may have more of them: then they stay.
  private static func shows(_ digits: String, _ color: Color) -> Bool {
    digits.utf8.first == UInt8(ascii: "#") && color.isInGamut
      && (try? Color(css: digits))?.hex == color.hex
  }

  private static func holds(_ text: String, _ color: Color) -> Bool {
    guard let read = Color(loose: text.trimmed) else { return false }
    return read == color || (color.bytes8 != nil && read.hex == color.hex)
  }

  /// Hexadecimal digits, with or without `#`, in the case and, if that is enough, the number of the old ones.
  static func digits(of color: Color, like old: String) -> String? {
    let isMarked = old.utf8.first == UInt8(ascii: "#")
    let digits = isMarked ? old.dropFirst() : old[...]
    guard digits.allSatisfy(\.isHexDigit), [3, 4, 6, 8].contains(digits.utf8.count) else {
      return nil
    }
    guard color.bytes8 != nil else { return nil }
    var text = String(color.hex.dropFirst())
    // Where a sign marks them, an opacity that was there need not stay when there is none.
    let isExplicit = !isMarked || digits.lowercased().hasSuffix(digits.utf8.count == 8 ? "ff" : "f")
    if digits.utf8.count % 4 == 0, text.utf8.count == 6, isExplicit { text += "ff" }
    if digits.utf8.count < 6 { text = shortened(text) }
    let isUpper = digits.contains(where: \.isUppercase)
    return (isMarked ? "#" : "") + (isUpper ? text.uppercased() : text)
  }

  /// One digit for each pair, where both digits of every pair are the same.
  private static func shortened(_ text: String) -> String {
    let digits = Array(text)
    let starts = stride(from: 0, to: digits.count, by: 2)
    guard starts.allSatisfy({ digits[$0] == digits[$0 + 1] }) else { return text }
    return String(starts.map { digits[$0] })
  }

  /// Digits with the opacity in front; six stay six while the color is opaque.
  static func alphaFirstDigits(of color: Color, like old: String) -> String {
    let isMarked = old.utf8.first == UInt8(ascii: "#")
    let digits = isMarked ? old.dropFirst() : old[...]
    let hex = Array(color.hex.dropFirst())
    var text = String(hex.suffix(hex.count - 6) + hex.prefix(6))
    if digits.utf8.count % 4 == 0, hex.count == 6 { text = "ff" + text }
    if digits.utf8.count < 6 { text = shortened(text) }
    let isLower = digits.contains(where: \.isLowercase)
    return (isMarked ? "#" : "") + (isLower ? text : text.uppercased())
  }

  /// Decimal numbers from 0 to 255, with the white space and marks that are between the old ones.
  static func numbers(of color: Color, like old: String, isPadded: Bool) -> String? {
    guard let bytes = color.bytes8 else { return nil }
    var gaps: [String] = [""]
    var counts: [Int] = []
    var isInNumber = false
    for character in old {
      if character.isASCII, character.isNumber {
        if !isInNumber { counts.append(0) }
        counts[counts.count - 1] += 1
        isInNumber = true
      } else {
        guard " \t,;\"".contains(character) else { return nil }
        if isInNumber { gaps.append("") }
        gaps[gaps.count - 1].append(character)
        isInNumber = false
      }
    }
    guard counts.count == 3 || (counts.count == 4) else { return nil }
    if isInNumber { gaps.append("") }
    var text = ""
    for (index, value) in [bytes.red, bytes.green, bytes.blue, bytes.alpha].prefix(counts.count)
      .enumerated()
    {
      let number = String(value)
      var gap = gaps[index]
      if isPadded {
        let width = gap.count + counts[index] - number.utf8.count
        let least = index == 0 ? 0 : 1
        if gap.allSatisfy({ $0 == " " }) {
          gap = String(repeating: " ", count: max(width, least))
        }
      }
      text += gap + number
    }
    return text + (gaps.count > counts.count ? gaps[counts.count] : "")
  }

  private static func name(of color: Color) -> String? {
    let nearest = color.nearestCSSName
    return nearest.deltaE == 0 && color.bytes8 != nil ? nearest.name : nil
  }

  /// A function of CSS, with commas where the old one has commas.
  private static func function(of color: Color, like old: String) -> String? {
    guard let bracket = old.firstIndex(of: "(") else { return nil }
    let name = old[..<bracket].lowercased()
    let hasCommas = old.contains(",")
    switch name {
    case "rgb", "rgba":
      guard let bytes = color.opaque.bytes8 else { return nil }
      let parts = [bytes.red, bytes.green, bytes.blue].map { String($0) }
      return function(name, parts, color, like: old, hasCommas)
    case "hsl", "hsla":
      if color.space == .hsl, color.components.allSatisfy({ $0 != nil }) {
        let parts = color.components.map { $0 ?? 0 }
        return function(
          name,
          [short(parts[0]), short(parts[1]) + "%", short(parts[2]) + "%"],
          color,
          like: old,
          hasCommas
        )
      }
      guard color.opaque.bytes8 != nil else { return nil }
      let parts = color.converted(to: .hsl).components.map { $0 ?? 0 }
      // As few digits as name the same bytes.
      for scale in [1.0, 10, 100, 1000] {
        let rounded = parts.map { ($0 * scale).rounded() / scale }
        let text = function(
          name,
          [short(rounded[0]), short(rounded[1]) + "%", short(rounded[2]) + "%"],
          color,
          like: old,
          hasCommas
        )
        if holds(text, color) { return text }
      }
      return nil
    default:
      guard color.css.hasPrefix(name + "(") else { return nil }
      return inUnits(color, like: old) ?? color.css
    }
  }

  /// A function whose numbers have the units of the old one, in percent or degrees; nil where it has none.
  private static func inUnits(_ color: Color, like old: String) -> String? {
    guard let start = old.firstIndex(of: "("), old.hasSuffix(")"),
      let open = color.css.firstIndex(of: "(")
    else { return nil }
    let name = color.css[..<open]
    // What the hundred of a percentage is, component for component.
    let wholes: [Double] =
      switch name {
      case "oklch": [1, 0.4, .nan]
      case "oklab": [1, 0.4, 0.4]
      case "lch": [100, 150, .nan]
      case "lab": [100, 125, 125]
      case "color": [1, 1, 1]
      default: []
      }
    var parts = old[old.index(after: start)...].dropLast()
      .split(maxSplits: 1) { $0 == "/" }[0].split(separator: " ")
    let space = name == "color" && !parts.isEmpty ? [String(parts.removeFirst())] : []
    let values = color.components.compactMap(\.self)
    guard parts.count == 3, values.count == 3, wholes.count == 3,
      space.allSatisfy({ color.css.hasPrefix("color(\($0) ") })
    else { return nil }
    let texts = zip(parts, zip(values, wholes)).map { part, number in
      if part.hasSuffix("%"), !number.1.isNaN {
        // A product of two numbers has more digits than either.
        return short((number.0 / number.1 * 1e10).rounded() / 1e8) + "%"
      }
      return short(number.0) + (part.hasSuffix("deg") ? "deg" : "")
    }
    return function(String(name), space + texts, color, like: old, false)
  }

  private static func function(
    _ name: String,
    _ parts: [String],
    _ color: Color,
    like old: String,
    _ hasCommas: Bool
  ) -> String {
    let base = String(name.prefix(3))
    guard let alpha = color.alpha, alpha != 1 else {
      return (hasCommas ? base : name) + "(" + parts.joined(separator: hasCommas ? ", " : " ") + ")"
    }
    let isPercent =
      old.split { $0 == "/" || $0 == "," }.count > (hasCommas ? 3 : 1) && old.hasSuffix("%)")
    let text =
      isPercent && (alpha * 100).rounded() == alpha * 100 ? short(alpha * 100) + "%" : short(alpha)
    if hasCommas { return base + "a(" + (parts + [text]).joined(separator: ", ") + ")" }
    return name + "(" + parts.joined(separator: " ") + " / " + text + ")"
  }

  private static func short(_ value: Double) -> String { JSON(value).text }
}
