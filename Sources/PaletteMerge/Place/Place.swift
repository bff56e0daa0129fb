import PaletteModel

/// The place of a named color in its palette: a byte string that sorts among those of the others.
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

  /// The distance between the ordinals of consecutive places of a run.
  static let ordinalStep = 16
  /// The ordinal of the first place of a run.
  static let firstOrdinal = 0x8000
  /// The length of what follows the midpoint: tag, counter and ordinal.
  static let runSuffixLength = 6

  /// Returns whether the place belongs to a run with this tag.
  func belongs(to tag: RunTag) -> Bool {
    bytes.count > Self.runSuffixLength
      && bytes.dropLast(3).suffix(3).elementsEqual(tag.bytes)
  }

  /// Returns whether both places belong to one run, if they belong to any.
  func sharesRun(with other: Self) -> Bool {
    bytes.count == other.bytes.count && bytes.dropLast(2) == other.bytes.dropLast(2)
  }

  /// The last two bytes as a number.
  var ordinal: Int {
    bytes.suffix(2).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The places of the same run with other ordinals; nil when the run does not reach that far.
  ///
  /// The greatest and the smallest ordinal are left out, so that there is room beyond both ends.
  func run(_ ordinals: [Int]) -> [Self]? {
    guard ordinals.allSatisfy((1..<0xFFFF).contains) else { return nil }
    let prefix = bytes.dropLast(2)
    return ordinals.map { Self(prefix: prefix, ordinal: $0) }
  }

  /// Creates the place of a run, whose bytes begin with `prefix`.
  init(prefix: some Collection<UInt8>, ordinal: Int) {
    precondition(prefix.count + 2 <= Self.maximumLength, "a run's places have one length")
    bytes = prefix + [UInt8(ordinal >> 8), UInt8(ordinal & 255)]
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

/// Three random bytes, none of them zero, that mark the places of one node's runs.
///
/// A run is a sequence of colors added together. Because all its places carry the tag of the node
/// that made them, runs that two people add at one spot do not mix.
package struct RunTag: Hashable, Sendable {
  /// The three bytes, each 1 to 255.
  package let bytes: [UInt8]

  /// Creates a tag from exactly three bytes, none of them zero.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 3, !bytes.contains(0) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Creates a random tag.
  package init(using random: inout some RandomNumberGenerator) {
    var bytes: [UInt8] = []
    for _ in 0..<3 { bytes.append(.random(in: 1...255, using: &random)) }
    self.bytes = bytes
  }
}
