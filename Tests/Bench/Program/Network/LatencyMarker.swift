import PalettePlatform

/// The name by which a watcher learns when an edit was made: `@@T` and sixteen hexadecimal digits of
/// nanoseconds of the clock that all processes share.
enum LatencyMarker {
  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  static var name: String {
    let nanoseconds = nanoseconds
    return String(unsafeUninitializedCapacity: 19) { buffer in
      for (index, byte) in "@@T".utf8.enumerated() { buffer[index] = byte }
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: nanoseconds >> UInt64(60 - 4 * index)) & 15
        buffer[3 + index] = digit + UInt8(ascii: digit < 10 ? "0" : "W")
      }
      return 19
    }
  }

  /// The ages, in microseconds, of the edits whose names are in a diff.
  ///
  /// A name stands there as what a color is now, and may stand there as what another one was.
  static func ages(in diff: [UInt8]) -> [Double] {
    let now = nanoseconds
    var ages: [Double] = []
    diff.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let color = find("\"color\":{", in: rest) {
        rest = rest[color...]
        let end = find("\"was\"", in: rest) ?? rest.endIndex
        if let name = find("@@T", in: rest[..<end]), end - name >= 16,
          let time = UInt64(String(decoding: rest[name..<name + 16], as: UTF8.self), radix: 16)
        {
          ages.append(Double(now - time) / 1000)
        }
        rest = rest[end...]
      }
    }
    return ages
  }

  /// Returns whether a text occurs in bytes.
  static func occurs(_ text: StaticString, in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { find(text, in: $0[...]) != nil }
  }

  /// The place at which a text ends that occurs in bytes.
  private static func find(_ text: StaticString, in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    let (first, count) = (text.utf8Start, text.utf8CodeUnitCount)
    guard bytes.count >= count else { return nil }
    for start in bytes.startIndex...bytes.endIndex - count where bytes[start] == first.pointee {
      if (1..<count).allSatisfy({ bytes[start + $0] == first[$0] }) { return start + count }
    }
    return nil
  }
}
