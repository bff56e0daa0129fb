extension Place {
  /// How far apart the ordinals of consecutive places of a run are.
  static let ordinalStep = 16
  /// The ordinal of the first place of a run.
  static let firstOrdinal = 0x8000
  /// The length of what follows the midpoint: tag, counter and ordinal.
  static let runSuffixLength = 6

  /// Whether the place belongs to a run with this tag.
  func belongs(to tag: RunTag) -> Bool {
    bytes.count > Self.runSuffixLength
      && bytes.dropLast(3).suffix(3).elementsEqual(tag.bytes)
  }

  /// Whether both places belong to one run, if they belong to any.
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
