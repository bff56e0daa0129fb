internal import PalettePlatform

/// The pause before looking again: looking often costs as much as the work itself, when that takes
/// long.
struct Pause {
  private var microseconds: UInt32 = 10_000

  mutating func wait() {
    usleep(microseconds)
    microseconds = min(microseconds * 11 / 10, 100_000)
  }
}
