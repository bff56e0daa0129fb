internal import PaletteModel

/// A place in the text of a stylesheet, which goes forward over comments and strings as the language does.
struct StylesheetCursor {
  /// The text in UTF-8, in which the places are counted.
  let bytes: [UInt8]
  private let sigil: DeclarationScanner.Sigil
  var place = 0
  /// The line of the place, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8], _ sigil: DeclarationScanner.Sigil) {
    self.bytes = bytes
    self.sigil = sigil
  }

  /// The text up to a byte outside of brackets and strings, without comments.
  mutating func value(until isEnd: (UInt8) -> Bool) -> String {
    var text: [UInt8] = []
    var depth = 0
    while place < bytes.count {
      let byte = bytes[place]
      if depth == 0, isEnd(byte) { break }
      // Addresses have slashes too, but only in brackets.
      if depth == 0 || byte != UInt8(ascii: "/"), comment() != nil { continue }
      let start = place
      if skipString() {
        text += bytes[start..<place]
        continue
      }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { depth -= 1 }
      text.append(byte)
      advance()
    }
    return String(decoding: text, as: UTF8.self).trimmed
  }

  /// The text of the comment that begins here, with the place behind it.
  mutating func comment() -> String? {
    guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "/") else { return nil }
    let start = place + 2
    if bytes[place + 1] == UInt8(ascii: "*") {
      place = start
      while place < bytes.count, !bytes[place...].starts(with: [0x2A, 0x2F]) { advance() }
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      place = min(place + 2, bytes.count)
      return text.trimmed
    }
    guard bytes[place + 1] == UInt8(ascii: "/"), sigil != .css else { return nil }
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self).trimmed
  }

  /// Skips the string that begins here; one that does not end, ends with its line.
  mutating func skipString() -> Bool {
    let quote = bytes[place]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
    place += 1
    while place < bytes.count, bytes[place] != quote, bytes[place] != 0x0A {
      place += bytes[place] == UInt8(ascii: "\\") ? min(2, bytes.count - place) : 1
    }
    if place < bytes.count, bytes[place] == quote { place += 1 }
    return true
  }

  mutating func skipSpace() {
    while place < bytes.count, isSpace(bytes[place]) { advance() }
  }

  mutating func skipSpaceAndComments() {
    repeat { skipSpace() } while place < bytes.count && comment() != nil
  }

  mutating func advance() {
    if bytes[place] == 0x0A
      || (bytes[place] == 0x0D && !bytes[place...].starts(with: [0x0D, 0x0A]))
    {
      line += 1
    }
    place += 1
  }

  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  func isName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "\\")
      || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
