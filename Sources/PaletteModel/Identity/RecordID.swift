/// The constant identity of a record: a 128-bit UUID, written as 36 lower-case characters.
///
/// Two named colors are the same record exactly when their ids are equal. The palette's own record
/// (which holds its name) has the id of the palette.
public struct RecordID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Creates an id from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a random (version 4) id.
  public init() {
    var random = SystemRandomNumberGenerator()
    self.init(using: &random)
  }

  /// Creates a random (version 4) id.
  public init(using random: inout some RandomNumberGenerator) {
    high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Creates an id from exactly sixteen bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The sixteen bytes, most significant first.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<8 {
        buffer[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * index))
        buffer[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * index))
      }
      count = 16
    }
  }
}

extension RecordID: Comparable {
  /// Orders ids as their bytes, and so as their text.
  public static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension RecordID: LosslessStringConvertible {
  /// Creates an id from its text, in either case.
  public init?(_ description: String) {
    guard description.utf8.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var index = 0
    for byte in description.utf8 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = byte.hexValue else { return nil }
        if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      }
      index += 1
    }
    self.init(high: high, low: low)
  }

  /// The id as text, lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      let text = text
      for index in text.indices { buffer[index] = text[index] }
      return 36
    }
  }

  /// The bytes of the description, for who writes it somewhere.
  package var text: [36 of UInt8] {
    var text = [36 of UInt8](repeating: UInt8(ascii: "-"))
    var position = 0
    for nibble in 0..<32 {
      if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { position += 1 }
      let half = nibble < 16 ? high : low
      text[position] = UInt8.hexDigit(half >> UInt64(60 - 4 * (nibble % 16)) & 15)
      position += 1
    }
    return text
  }
}
