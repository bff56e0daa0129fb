internal import PaletteMerge

/// Bytes as a word that survives mails, chats and keyboards: letters and digits alone, with a check sum.
///
/// The word begins with its own length, so that what was cut off is told from what was mistyped, and what stands
/// behind it does not matter.
enum CodeText {
  /// Why a text is no word with bytes.
  enum Flaw: Error {
    /// There is no such word in it.
    case none
    /// The end is missing.
    case cutOff
    /// Its check sum is of other bytes.
    case mistyped
  }

  /// What every word begins with.
  static let prefix = "hued1-"

  /// The longest content.
  private static let byteLimit = 0xFFFF
  private static let checkBytes = 4
  /// How many letters a last block of so many bytes has; a whole block is eight bytes in eleven letters.
  private static let letters = [0, 2, 3, 5, 6, 7, 9, 10, 11]
  private static let blockBytes = 8
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )
  /// The values of letters; 255 for what is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// The word for some bytes.
  static func text(_ content: [UInt8]) -> String {
    precondition(content.count <= byteLimit, "a code has few addresses, and a name that is cut")
    let bytes = length(content.count) + content
    let all = bytes + checkSum(of: bytes)
    var word: [UInt8] = []
    var start = 0
    while start < all.count {
      let block = all[start..<min(start + blockBytes, all.count)]
      var number = block.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      var letters = [UInt8](repeating: 0, count: letters[block.count])
      for index in letters.indices.reversed() {
        letters[index] = alphabet[Int(number % 62)]
        number /= 62
      }
      word += letters
      start += blockBytes
    }
    return prefix + String(decoding: word, as: UTF8.self)
  }

  /// The bytes of the word in a text.
  static func bytes(in text: String) throws(Flaw) -> [UInt8] {
    guard let letters = letters(in: text) else { throw .none }
    guard letters.count >= Self.letters[blockBytes] else { throw .cutOff }
    guard let first = block(letters[0..<Self.letters[blockBytes]], blockBytes) else {
      throw .mistyped
    }
    let (lengthBytes, count) =
      first[0] == 255 ? (3, Int(first[1]) << 8 | Int(first[2])) : (1, Int(first[0]))
    let total = lengthBytes + count + checkBytes
    let needed =
      total / blockBytes * Self.letters[blockBytes] + Self.letters[total % blockBytes]
    guard letters.count >= needed else { throw .cutOff }
    var bytes: [UInt8] = []
    var position = 0
    while bytes.count < total {
      let size = min(blockBytes, total - bytes.count)
      let next = position + Self.letters[size]
      guard let block = block(letters[position..<next], size) else { throw .mistyped }
      bytes += block
      position = next
    }
    let content = Array(bytes.dropLast(checkBytes))
    guard checkSum(of: content) == bytes.suffix(checkBytes) else { throw .mistyped }
    return Array(content.dropFirst(lengthBytes))
  }

  /// The letters of the word behind its beginning, without anything that may stand between them; nil where
  /// there is no such beginning.
  private static func letters(in text: String) -> [UInt8]? {
    // Folded lines, marks of quotation and dashes that a program made of others may stand within the beginning.
    var scalars: [UInt8] = []
    for scalar in text.unicodeScalars.prefix(4 * byteLimit) {
      if scalar.properties.isDash {
        scalars.append(UInt8(ascii: "-"))
      } else if scalar.isASCII,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      {
        scalars.append(UInt8(truncatingIfNeeded: scalar.value))
      }
    }
    let start = Array(prefix.utf8)
    var index = 0
    while index + start.count <= scalars.count {
      let isStart = zip(scalars[index...], start).allSatisfy {
        $0 == $1 || $0 | 0x20 == $1 && $1 > 0x60
      }
      if isStart { return scalars[(index + start.count)...].filter { values[Int($0)] < 255 } }
      index += 1
    }
    return nil
  }

  /// The bytes of one block; nil where the letters say more than fits.
  private static func block(_ letters: ArraySlice<UInt8>, _ count: Int) -> [UInt8]? {
    var number: UInt64 = 0
    for letter in letters {
      let (product, overflows) = number.multipliedReportingOverflow(by: 62)
      let (sum, exceeds) = product.addingReportingOverflow(UInt64(values[Int(letter)]))
      guard !overflows, !exceeds else { return nil }
      number = sum
    }
    guard count == 8 || number >> UInt64(8 * count) == 0 else { return nil }
    return (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
  }

  private static func length(_ count: Int) -> [UInt8] {
    count < 255
      ? [UInt8(count)] : [255, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
  }

  private static func checkSum(of bytes: [UInt8]) -> [UInt8] {
    var hash = BLAKE2b(resultLength: 16)
    hash.update(Array("hued code".utf8))
    hash.update(bytes)
    return Array(hash.finalize().prefix(checkBytes))
  }
}
