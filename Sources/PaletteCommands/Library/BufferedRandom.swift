internal import PalettePlatform

/// The system's random numbers, fetched many at a time: an import needs two for every color.
struct BufferedRandom: RandomNumberGenerator {
  private var words: [UInt64] = []

  mutating func next() -> UInt64 {
    if let word = words.popLast() { return word }
    // 256 bytes are what the system gives at once.
    var fresh = [UInt64](repeating: 0, count: 32)
    let status = fresh.withUnsafeMutableBytes { buffer -> CInt in
      guard let start = buffer.baseAddress else { return -1 }
      return getentropy(start, buffer.count)
    }
    guard status == 0 else {
      var system = SystemRandomNumberGenerator()
      return system.next()
    }
    words = fresh
    return words.removeLast()
  }
}
