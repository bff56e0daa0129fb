/// Where a named color stands in its palette: a byte string that sorts among those of the others.
///
/// Places compare byte by byte, a shorter one before those that it begins. There is always room for
/// another one between two that a ``PlaceGenerator`` made, so that moving or inserting a color
/// writes its own place only. Equal places are possible; the order of ids breaks the tie.
public struct Place: Hashable, Sendable {
  /// The greatest length in bytes.
  public static let maximumLength = 1024

  /// The bytes, 1 to 1,024 of them.
  public let bytes: [UInt8]

  /// Creates a place from its bytes; nil when there are none or too many.
  public init?(bytes: some Collection<UInt8>) {
    guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Creates a place from its bytes; nil when there are none or too many.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
    self.bytes = [UInt8](bytes)
  }
}

extension Place: Comparable {
  /// Orders places by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension Place: LosslessStringConvertible {
  /// Creates a place from its hexadecimal digits, two a byte, in either case.
  public init?(_ description: String) {
    guard let bytes = [UInt8](hexDigits: description.utf8) else { return nil }
    self.init(bytes: bytes)
  }

  /// The place as hexadecimal digits, lower case, two a byte.
  public var description: String { bytes.hexDigits }
}
