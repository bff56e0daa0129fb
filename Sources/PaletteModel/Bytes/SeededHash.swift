/// A hash of two words that costs a tenth of what a dictionary's does.
///
/// It is seeded per process: ids come from peers, who must not be able to choose colliding ones.
package struct SeededHash: Hashable, Sendable {
  private static let seeds = (
    UInt64(truncatingIfNeeded: "high half".hashValue),
    UInt64(truncatingIfNeeded: "low half".hashValue)
  )

  // Kept here as well: reading a global asks each time whether it was made.
  @usableFromInline let high: UInt64
  @usableFromInline let low: UInt64

  package init() {
    (high, low) = Self.seeds
  }

  /// The hash of two words; of its bits the upper half is the better one.
  @inlinable package func value(of words: (UInt64, UInt64)) -> UInt64 {
    let product = (words.0 ^ high).multipliedFullWidth(by: words.1 ^ low)
    return (product.high ^ product.low) &* 0x9E37_79B9_7F4A_7C15
  }
}

extension RecordID {
  /// The two words that tell it from every other one.
  @inlinable package var words: (UInt64, UInt64) { (high, low) }
}
