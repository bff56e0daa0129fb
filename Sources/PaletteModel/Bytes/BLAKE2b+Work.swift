/// The sixteen working words of one compression, each a variable of its own, and the message words
/// named by constants, so that everything stays in registers and no index is checked.
extension BLAKE2b {
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
