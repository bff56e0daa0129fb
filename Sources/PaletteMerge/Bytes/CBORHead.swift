/// The head of an item of deterministic CBOR: its major type and a number, as short as can be.
package enum CBORHead {
  /// The most bytes that a head has.
  package static let longest = 9

  /// The number of bytes the head of a number has.
  package static func count(of value: UInt64) -> Int {
    switch value {
    case 0..<24: 1
    case 24...0xFF: 2
    case 0x100...0xFFFF: 3
    case 0x1_0000...0xFFFF_FFFF: 5
    default: 9
    }
  }

  /// Writes a head where there is room for `longest` bytes, and tells how many it has.
  package static func write(
    _ major: UInt8,
    _ value: UInt64,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    let type = major << 5
    switch value {
    case 0..<24:
      target.storeBytes(of: type | UInt8(value), as: UInt8.self)
      return 1
    case 24...0xFF:
      target.storeBytes(of: type | 24, as: UInt8.self)
      target.storeBytes(of: UInt8(value), toByteOffset: 1, as: UInt8.self)
      return 2
    case 0x100...0xFFFF:
      target.storeBytes(of: type | 25, as: UInt8.self)
      target.storeBytes(of: UInt16(value).bigEndian, toByteOffset: 1, as: UInt16.self)
      return 3
    case 0x1_0000...0xFFFF_FFFF:
      target.storeBytes(of: type | 26, as: UInt8.self)
      target.storeBytes(of: UInt32(value).bigEndian, toByteOffset: 1, as: UInt32.self)
      return 5
    default:
      target.storeBytes(of: type | 27, as: UInt8.self)
      target.storeBytes(of: value.bigEndian, toByteOffset: 1, as: UInt64.self)
      return 9
    }
  }
}

/// The reason why bytes are not the deterministic CBOR that was expected.
package enum CBORError: Error, Equatable {
  /// The bytes end inside an item.
  case truncated
  /// An item of another type stands here.
  case unexpectedType
  /// The value has a shorter or differently ordered encoding.
  case notDeterministic
  /// A text is not UTF-8.
  case invalidUTF8
  /// A float is infinite or no number.
  case notFinite
  /// Items are nested too deeply.
  case tooDeep
}
