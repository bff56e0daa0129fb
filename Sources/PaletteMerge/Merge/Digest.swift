package import PaletteModel

/// An order-independent hash over what a palette, or a library, holds.
///
/// It is a sum modulo 2^128 of one element per frontier entry and per live value, so that it is kept
/// up to date by adding and taking away. Two libraries that hold the same have the same digest.
public struct Digest: Hashable, Sendable {
  /// The sum.
  public private(set) var value: UInt128

  /// The digest of nothing.
  public static let zero = Digest(value: 0)

  package init(value: UInt128) {
    self.value = value
  }

  private init(_ first: UInt64, _ second: UInt64, _ kind: UInt64) {
    let high = Self.mix(first ^ Self.mix(kind))
    let low = Self.mix(second &+ high)
    value = UInt128(high) << 64 | UInt128(low)
  }

  /// The element of a live value: the hash of its change, its register and its covered bit.
  package init(_ hash: ChangeHash, _ register: Register, covered: Bool) {
    self.init(hash.link, hash.rest, UInt64(register.rawValue) << 1 | (covered ? 1 : 0))
  }

  /// The element of a frontier entry: an author, the highest sequence held and that change's link.
  package init(_ node: NodeID, _ head: StreamHead) {
    self.init(node.rawValue, head.link, 1 << 32 | UInt64(head.sequence) << 33)
  }

  /// The element that a palette adds to the digest of its library.
  package init(_ palette: PaletteID, _ digest: Digest) {
    let high = UInt64(truncatingIfNeeded: digest.value >> 64)
    let low = UInt64(truncatingIfNeeded: digest.value)
    self.init(palette.record.high &+ Self.mix(high), palette.record.low &+ Self.mix(low), 1 << 17)
  }

  /// Adds the elements of another digest.
  package static func += (left: inout Self, right: Self) { left.value &+= right.value }

  /// Takes away the elements of another digest.
  package static func -= (left: inout Self, right: Self) { left.value &-= right.value }

  /// The finaliser of SplitMix64: every bit of the input changes every bit of the result.
  private static func mix(_ input: UInt64) -> UInt64 {
    var word = input &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

extension Digest {
  /// Sixteen bytes, most significant first.
  package var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } }

  /// Creates a digest from exactly sixteen bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Creates a digest from exactly sixteen bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    value = UInt128(bigEndian: bytes.loadUnaligned(as: UInt128.self))
  }
}

extension Digest: LosslessStringConvertible {
  /// Creates a digest from 32 hexadecimal digits.
  public init?(_ description: String) {
    let digits = description.utf8
    guard digits.count == 32, let high = UInt64(hexDigits: digits.prefix(16)),
      let low = UInt64(hexDigits: digits.dropFirst(16))
    else { return nil }
    value = UInt128(high) << 64 | UInt128(low)
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String {
    UInt64(truncatingIfNeeded: value >> 64).hexDigits + UInt64(truncatingIfNeeded: value).hexDigits
  }
}
