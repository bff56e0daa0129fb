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

  /// The sixteen working words of one compression, each a variable of its own, and the message words
  /// named by constants, so that everything stays in registers and no index is checked.
  struct Work {
    private(set) var v0, v1, v2, v3, v4, v5, v6, v7: UInt64
    private(set) var v8 = BLAKE2b.initial(0)
    private(set) var v9 = BLAKE2b.initial(1)
    private(set) var v10 = BLAKE2b.initial(2)
    private(set) var v11 = BLAKE2b.initial(3)
    private(set) var v12 = BLAKE2b.initial(4)
    private(set) var v13 = BLAKE2b.initial(5)
    private(set) var v14 = BLAKE2b.initial(6)
    private(set) var v15 = BLAKE2b.initial(7)

    init(_ words: borrowing [8 of UInt64], total: UInt64, isLast: Bool) {
      (v0, v1, v2, v3) = (words[0], words[1], words[2], words[3])
      (v4, v5, v6, v7) = (words[4], words[5], words[6], words[7])
      v12 ^= total
      if isLast { v14 = ~v14 }
    }
  }
}

extension BLAKE2b.Work {
  /// All twelve rounds; the last two take the message as the first two do.
  mutating func rounds(_ message: UnsafeRawBufferPointer) {
    round(message, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    round(message, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    round(message, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
    round(message, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
    round(message, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
    round(message, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
    round(message, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
    round(message, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
    round(message, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
    round(message, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
    round(message, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    round(message, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
  }

  @inline(__always)
  private mutating func round(
    _ message: UnsafeRawBufferPointer,
    _ s0: Int,
    _ s1: Int,
    _ s2: Int,
    _ s3: Int,
    _ s4: Int,
    _ s5: Int,
    _ s6: Int,
    _ s7: Int,
    _ s8: Int,
    _ s9: Int,
    _ s10: Int,
    _ s11: Int,
    _ s12: Int,
    _ s13: Int,
    _ s14: Int,
    _ s15: Int
  ) {
    Self.mix(&v0, &v4, &v8, &v12, word(message, s0), word(message, s1))
    Self.mix(&v1, &v5, &v9, &v13, word(message, s2), word(message, s3))
    Self.mix(&v2, &v6, &v10, &v14, word(message, s4), word(message, s5))
    Self.mix(&v3, &v7, &v11, &v15, word(message, s6), word(message, s7))
    Self.mix(&v0, &v5, &v10, &v15, word(message, s8), word(message, s9))
    Self.mix(&v1, &v6, &v11, &v12, word(message, s10), word(message, s11))
    Self.mix(&v2, &v7, &v8, &v13, word(message, s12), word(message, s13))
    Self.mix(&v3, &v4, &v9, &v14, word(message, s14), word(message, s15))
  }

  @inline(__always)
  private func word(_ message: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    UInt64(littleEndian: message.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(
    _ a: inout UInt64,
    _ b: inout UInt64,
    _ c: inout UInt64,
    _ d: inout UInt64,
    _ first: UInt64,
    _ second: UInt64
  ) {
    a = a &+ b &+ first
    d = rotate(d ^ a, 32)
    c = c &+ d
    b = rotate(b ^ c, 24)
    a = a &+ b &+ second
    d = rotate(d ^ a, 16)
    c = c &+ d
    b = rotate(b ^ c, 63)
  }

  @inline(__always)
  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word &>> count | word &<< (64 - count)
  }
}
