internal import PalettePlatform

/// The seeds of what is tested with random data.
///
/// Each commit has a few, always the same ones, so that a failure comes again. Each night has all of them and
/// more, which nobody has tried before: `HUED_SEED` is the first one, and `HUED_SEEDS` says how many times as
/// many there are.
public enum TestSeeds {
  private static let first = number("HUED_SEED") ?? 0
  private static let times = number("HUED_SEEDS")

  /// A quarter of so many seeds, and not less than what is said; by night, all of them or more.
  public static func some(of count: UInt64, atLeast least: UInt64 = 4) -> Range<UInt64> {
    first..<first + (times.map { $0 * count } ?? max(min(count, least), count / 4))
  }

  /// A quarter of seeds that failed once; by night, all of them.
  public static func some(of seeds: [UInt64]) -> ArraySlice<UInt64> {
    seeds.prefix(isNight ? seeds.count : (seeds.count + 3) / 4)
  }

  /// Whether this is the long run of a night.
  public static var isNight: Bool { times != nil }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }
}
