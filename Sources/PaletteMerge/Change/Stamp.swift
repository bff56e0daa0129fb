import PaletteModel

/// The author's clock reading: 48 bits of milliseconds since 1970 and a 16-bit counter.
///
/// Stamps order what was truly concurrent, for display. They never decide whether a change counts.
public struct Stamp: Hashable, Sendable {
  /// Milliseconds in the upper 48 bits, the counter in the lower 16.
  public let rawValue: UInt64

  /// Creates a stamp from its 64 bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a stamp; milliseconds outside 48 bits are moved to the nearest that fits.
  public init(milliseconds: Int64, counter: UInt16 = 0) {
    let clamped = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
    rawValue = clamped << 16 | UInt64(counter)
  }

  /// Milliseconds since 1970, by the author's clock.
  public var milliseconds: Int64 { Int64(rawValue >> 16) }
}

extension Stamp: Comparable {
  /// Orders stamps by time, then by counter.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Stamp: CustomStringConvertible {
  /// Sixteen hexadecimal digits, which sort as stamps do.
  public var description: String { rawValue.hexDigits }
}
