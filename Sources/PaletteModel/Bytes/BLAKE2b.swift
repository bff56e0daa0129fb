/// BLAKE2b (RFC 7693), with a result of 1 to 64 bytes.
///
/// The one hash of the project: it names the content of a change, links the changes of an author,
/// and feeds digests.
package struct BLAKE2b {
  private var words: [8 of UInt64]
  private var block = [128 of UInt8](repeating: 0)
  private var filled = 0
  private var total: UInt64 = 0
  private let resultLength: Int

  package init(resultLength: Int) {
    precondition((1...64).contains(resultLength))
    self.resultLength = resultLength
    words = [8 of UInt64] { Self.initial($0) }
    words[0] ^= 0x0101_0000 ^ UInt64(resultLength)
  }

  /// Begins a hash that only those can make who know a key of 1 to 64 bytes.
  package init(resultLength: Int, key: [UInt8]) {
    precondition((1...64).contains(key.count))
    self.init(resultLength: resultLength)
    words[0] ^= UInt64(key.count) << 8
    update(key + [UInt8](repeating: 0, count: 128 - key.count))
  }

  /// Absorbs bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset < bytes.count {
      // The last block is compressed by `finish`, so a full one waits until more follows.
      if filled == 128 {
        total &+= 128
        compress(isLast: false)
        filled = 0
      }
      let count = min(128 - filled, bytes.count - offset)
      withUnsafeMutableBytes(of: &block) { block in
        let target = UnsafeMutableRawBufferPointer(rebasing: block[filled..<filled + count])
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      }
      filled += count
      offset += count
    }
  }

  /// Absorbs bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Absorbs one 64-bit number, most significant byte first.
  package mutating func update(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { update($0) }
  }

  /// The hash of everything absorbed.
  package consuming func finalize() -> [UInt8] {
    finish()
    return (0..<resultLength).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (8 * ($0 % 8))) }
  }

  /// The first sixteen bytes of the hash as two numbers, most significant byte first.
  package consuming func finalizeWords() -> (high: UInt64, low: UInt64) {
    finish()
    return (words[0].byteSwapped, words[1].byteSwapped)
  }

  private mutating func finish() {
    total &+= UInt64(filled)
    for index in filled..<128 { block[index] = 0 }
    compress(isLast: true)
  }

  private mutating func compress(isLast: Bool) {
    var work = Work(words, total: total, isLast: isLast)
    withUnsafeBytes(of: block) { message in
      work.rounds(message)
    }
    words[0] ^= work.v0 ^ work.v8
    words[1] ^= work.v1 ^ work.v9
    words[2] ^= work.v2 ^ work.v10
    words[3] ^= work.v3 ^ work.v11
    words[4] ^= work.v4 ^ work.v12
    words[5] ^= work.v5 ^ work.v13
    words[6] ^= work.v6 ^ work.v14
    words[7] ^= work.v7 ^ work.v15
  }

  @inline(__always)
  static func initial(_ index: Int) -> UInt64 {
    switch index {
    case 0: 0x6A09_E667_F3BC_C908
    case 1: 0xBB67_AE85_84CA_A73B
    case 2: 0x3C6E_F372_FE94_F82B
    case 3: 0xA54F_F53A_5F1D_36F1
    case 4: 0x510E_527F_ADE6_82D1
    case 5: 0x9B05_688C_2B3E_6C1F
    case 6: 0x1F83_D9AB_FB41_BD6B
    default: 0x5BE0_CD19_137E_2179
    }
  }
}
