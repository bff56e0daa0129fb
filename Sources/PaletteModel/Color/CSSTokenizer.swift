/// Splits the text of one color into tokens; comments and white space only separate them.
struct CSSTokenizer: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  private var current: UInt8? { byte(at: 0) }

  private func byte(at offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// Reads the next token.
  mutating func next() throws(ColorParseError) -> CSSToken {
    try skipSpace()
    guard let byte = current else { return .end }
    if startsNumber { return try number() }
    if startsName { return try nameLike() }
    position += 1
    switch byte {
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: "/"): return .slash
    case UInt8(ascii: ")"): return .close
    case UInt8(ascii: "#") where startsNameByte: return .hash(try name())
    default: return .other(rest(from: position - 1))
    }
  }

  private mutating func skipSpace() throws(ColorParseError) {
    while let byte = current {
      if byte.isCSSSpace {
        position += 1
      } else if byte == UInt8(ascii: "/"), self.byte(at: 1) == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(ColorParseError) {
    position += 2
    while let byte = current {
      if byte == UInt8(ascii: "*"), self.byte(at: 1) == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
    throw ColorParseError("the comment has no end", hint: "close it with */")
  }

  private func rest(from start: Int) -> String {
    String(decoding: bytes[start..<min(bytes.count, start + 40)], as: UTF8.self)
  }
}

/// Names.
extension CSSTokenizer {
  private func isEscape(at offset: Int) -> Bool {
    guard byte(at: offset) == UInt8(ascii: "\\"), let next = byte(at: offset + 1) else {
      return false
    }
    return next != UInt8(ascii: "\n") && next != UInt8(ascii: "\r") && next != 0x0C
  }

  private func isNameStart(at offset: Int) -> Bool {
    byte(at: offset)?.isCSSNameStart ?? false || isEscape(at: offset)
  }

  private var startsNameByte: Bool {
    current?.isCSSName ?? false || isEscape(at: 0)
  }

  private var startsName: Bool {
    guard current == UInt8(ascii: "-") else { return isNameStart(at: 0) }
    return isNameStart(at: 1) || byte(at: 1) == UInt8(ascii: "-")
  }

  private mutating func nameLike() throws(ColorParseError) -> CSSToken {
    let name = try name()
    guard current == UInt8(ascii: "(") else { return .identifier(name) }
    position += 1
    return .function(name)
  }

  private mutating func name() throws(ColorParseError) -> String {
    var result: [UInt8] = []
    while let byte = current {
      if byte.isCSSName {
        result.append(byte.asciiLowercased)
        position += 1
      } else if isEscape(at: 0) {
        position += 1
        result.append(contentsOf: String(try escape()).utf8.map(\.asciiLowercased))
      } else {
        break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Reads what follows a backslash: up to six hexadecimal digits and one space, or any character.
  private mutating func escape() throws(ColorParseError) -> Character {
    var value: UInt32 = 0
    var count = 0
    while count < 6, let digit = current?.hexValue {
      value = value << 4 | UInt32(digit)
      count += 1
      position += 1
    }
    if count == 0 {
      guard let byte = current, byte < 0x80 else {
        throw ColorParseError("the escape is not part of any color", hint: ColorParseError.examples)
      }
      position += 1
      return Character(Unicode.Scalar(byte))
    }
    if let byte = current, byte.isCSSSpace { position += 1 }
    return Character(Unicode.Scalar(value) ?? "\u{FFFD}")
  }
}

/// Numbers.
extension CSSTokenizer {
  private var startsNumber: Bool {
    let hasSign = current == UInt8(ascii: "+") || current == UInt8(ascii: "-")
    let start = hasSign ? 1 : 0
    if byte(at: start)?.isDigit ?? false { return true }
    return byte(at: start) == UInt8(ascii: ".") && byte(at: start + 1)?.isDigit ?? false
  }

  private mutating func number() throws(ColorParseError) -> CSSToken {
    let value = try numericValue()
    if current == UInt8(ascii: "%") {
      position += 1
      return .percentage(value)
    }
    return startsName ? .dimension(value, unit: try name()) : .number(value)
  }

  private mutating func numericValue() throws(ColorParseError) -> Double {
    let start = position
    position += 1
    skipDigits()
    if current == UInt8(ascii: "."), byte(at: 1)?.isDigit ?? false {
      position += 1
      skipDigits()
    }
    skipExponent()
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw ColorParseError(
        "\(ColorParseError.quoted(text)) is too large a number",
        hint: "write a smaller one"
      )
    }
    // Zero has one form only, so that equal colors are equal byte for byte.
    return value == 0 ? 0 : value
  }

  private mutating func skipExponent() {
    guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
    let hasSign = byte(at: 1) == UInt8(ascii: "+") || byte(at: 1) == UInt8(ascii: "-")
    guard byte(at: hasSign ? 2 : 1)?.isDigit ?? false else { return }
    position += hasSign ? 2 : 1
    skipDigits()
  }

  private mutating func skipDigits() {
    while current?.isDigit ?? false { position += 1 }
  }
}

extension UInt8 {
  /// CSS ignores the case of ASCII letters only.
  var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isCSSSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D || self == 0x0C
  }

  fileprivate var isCSSNameStart: Bool {
    let lower = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || self == UInt8(ascii: "_")
      || self >= 0x80
  }

  fileprivate var isCSSName: Bool {
    isCSSNameStart || isDigit || self == UInt8(ascii: "-")
  }
}

/// The tokens of CSS Syntax 3 that a color can be made of.
///
/// Identifiers, function names and units are in lower case, with escapes resolved.
enum CSSToken: Hashable, Sendable {
  case identifier(String)
  /// A name with its opening parenthesis.
  case function(String)
  /// The characters after `#`.
  case hash(String)
  case number(Double)
  case percentage(Double)
  case dimension(Double, unit: String)
  case comma
  case slash
  case close
  case end
  /// Anything that no color contains.
  case other(String)

  /// The token as it may appear in a message.
  var text: String {
    switch self {
    case .identifier(let name): name
    case .function(let name): "\(name)("
    case .hash(let name): "#\(name)"
    case .number(let value): value.cssText
    case .percentage(let value): "\(value.cssText)%"
    case .dimension(let value, let unit): "\(value.cssText)\(unit)"
    case .comma: ","
    case .slash: "/"
    case .close: ")"
    case .end: "the end"
    case .other(let text): text
    }
  }
}
