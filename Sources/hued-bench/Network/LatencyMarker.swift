import Glibc

/// The name by which a watcher learns when an edit was made: `@@T` and sixteen hexadecimal digits of
/// nanoseconds of the clock that all processes share.
enum LatencyMarker {
  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  static var name: String {
    let digits = String(nanoseconds, radix: 16)
    return "@@T" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// How many microseconds ago the edits were made whose names are in a diff.
  ///
  /// A name stands there as what a color is now, and may stand there as what another one was.
  static func ages(in diff: [UInt8]) -> [Double] {
    let now = nanoseconds
    var ages: [Double] = []
    var rest = diff[...]
    while let range = rest.firstRange(of: Array("\"color\":{".utf8)) {
      rest = rest[range.upperBound...]
      let end = rest.firstRange(of: Array("\"was\"".utf8))?.lowerBound ?? rest.endIndex
      if let name = rest[..<end].firstRange(of: Array("@@T".utf8)), end - name.upperBound >= 16,
        let time = UInt64(
          String(decoding: rest[name.upperBound..<name.upperBound + 16], as: UTF8.self),
          radix: 16
        )
      {
        ages.append(Double(now - time) / 1000)
      }
      rest = rest[end...]
    }
    return ages
  }
}
