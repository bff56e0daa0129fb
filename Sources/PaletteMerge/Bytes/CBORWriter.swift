package import PaletteModel

/// Writes deterministic CBOR (RFC 8949, section 4.2.1) into a growing buffer.
///
/// The caller gives map keys in order; everything else that determinism asks for (shortest numbers,
/// definite lengths) is done here.
package struct CBORWriter: Hashable, Sendable {
  /// The bytes written so far.
  package var bytes: [UInt8] = []

  package init(reservingCapacity capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func write(unsigned value: UInt64) { head(0, value) }

  package mutating func write(array count: Int) { head(4, UInt64(count)) }

  package mutating func write(map count: Int) { head(5, UInt64(count)) }

  package mutating func write(bytes value: some Collection<UInt8>) {
    head(2, UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes a byte string (major type 2) or a text (3).
  mutating func write(major: UInt8, _ value: UnsafeRawBufferPointer) {
    head(major, UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  package mutating func write(text value: String) {
    var value = value
    value.withUTF8 { utf8 in
      head(3, UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  package mutating func write(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

  package mutating func writeNull() { bytes.append(0xF6) }

  /// Writes a finite number as the shortest of the three float formats that keeps its value.
  package mutating func write(_ value: Double) {
    let single = Float(value)
    guard Double(single) == value else {
      bytes.append(0xFB)
      return append(value.bitPattern, count: 8)
    }
    if let half = HalfFloat.bits(of: single) {
      bytes.append(0xF9)
      append(UInt64(half), count: 2)
    } else {
      bytes.append(0xFA)
      append(UInt64(single.bitPattern), count: 4)
    }
  }

  /// Writes an id as a byte string of sixteen bytes.
  package mutating func write(_ id: RecordID) {
    bytes.append(0x50)
    append(id.high, count: 8)
    append(id.low, count: 8)
  }

  /// Writes a byte string of eight bytes.
  package mutating func write(eightBytes value: UInt64) {
    bytes.append(0x48)
    append(value, count: 8)
  }

  /// Writes a byte string of four bytes.
  package mutating func write(fourBytes value: UInt32) {
    bytes.append(0x44)
    append(UInt64(value), count: 4)
  }

  /// Forgets what has been written, and keeps the memory for what comes.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends an item that is already encoded.
  package mutating func append(encoded item: some Collection<UInt8>) {
    bytes.append(contentsOf: item)
  }

  private mutating func head(_ major: UInt8, _ value: UInt64) {
    guard value > 23 else { return bytes.append(major << 5 | UInt8(value)) }
    var words: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &words) { words in
      guard let start = words.baseAddress else { return }
      let count = CBORHead.write(major, value, to: start)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: words[..<count]))
    }
  }

  /// Appends an item that is already encoded.
  package mutating func append(encoded item: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: item)
  }

  private mutating func append(_ value: UInt64, count: Int) {
    withUnsafeBytes(of: value.bigEndian) { word in
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: word[(8 - count)...]))
    }
  }
}

/// The 16-bit float format of CBOR, by hand: `Float16` is not available everywhere.
enum HalfFloat {
  /// The bits of a number that fits without loss, or nil.
  static func bits(of value: Float) -> UInt16? {
    let bits = value.bitPattern
    let sign = UInt16(bits >> 16 & 0x8000)
    let exponent = Int(bits >> 23 & 0xFF) - 127
    let fraction = bits & 0x7F_FFFF
    if bits & 0x7FFF_FFFF == 0 { return sign }
    switch exponent {
    case -14...15:
      guard fraction & 0x1FFF == 0 else { return nil }
      return sign | UInt16(exponent + 15) << 10 | UInt16(fraction >> 13)
    case -24 ..< -14:
      // Subnormal: the hidden bit becomes explicit and moves right.
      let shift = UInt32(-exponent - 1)
      let whole = fraction | 0x80_0000
      guard whole & (1 << shift - 1) == 0 else { return nil }
      return sign | UInt16(whole >> shift)
    default:
      return nil
    }
  }

  /// The number that sixteen bits stand for.
  static func value(of bits: UInt16) -> Double {
    let sign: Double = bits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Double(bits & 0x3FF)
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
  }
}
