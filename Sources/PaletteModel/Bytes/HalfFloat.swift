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
