/// BLAKE2b without a key (RFC 7693), with a result of 1 to 64 bytes.
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
    let message = withUnsafeBytes(of: block) { block in
      [16 of UInt64] { UInt64(littleEndian: block.load(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
    var work = [16 of UInt64] { $0 < 8 ? words[$0] : Self.initial($0 - 8) }
    work[12] ^= total
    if isLast { work[14] = ~work[14] }
    for round in 0..<12 {
      let row = Self.schedule.utf8Start + (round % 10) * 16
      Self.mix(&work, 0, 4, 8, 12, message[Int(row[0])], message[Int(row[1])])
      Self.mix(&work, 1, 5, 9, 13, message[Int(row[2])], message[Int(row[3])])
      Self.mix(&work, 2, 6, 10, 14, message[Int(row[4])], message[Int(row[5])])
      Self.mix(&work, 3, 7, 11, 15, message[Int(row[6])], message[Int(row[7])])
      Self.mix(&work, 0, 5, 10, 15, message[Int(row[8])], message[Int(row[9])])
      Self.mix(&work, 1, 6, 11, 12, message[Int(row[10])], message[Int(row[11])])
      Self.mix(&work, 2, 7, 8, 13, message[Int(row[12])], message[Int(row[13])])
      Self.mix(&work, 3, 4, 9, 14, message[Int(row[14])], message[Int(row[15])])
    }
    for index in 0..<8 { words[index] ^= work[index] ^ work[index + 8] }
  }

  @inline(__always)
  private static func mix(
    _ work: inout [16 of UInt64],
    _ a: Int,
    _ b: Int,
    _ c: Int,
    _ d: Int,
    _ first: UInt64,
    _ second: UInt64
  ) {
    work[a] = work[a] &+ work[b] &+ first
    work[d] = rotate(work[d] ^ work[a], 32)
    work[c] = work[c] &+ work[d]
    work[b] = rotate(work[b] ^ work[c], 24)
    work[a] = work[a] &+ work[b] &+ second
    work[d] = rotate(work[d] ^ work[a], 16)
    work[c] = work[c] &+ work[d]
    work[b] = rotate(work[b] ^ work[c], 63)
  }

  @inline(__always)
  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word &>> count | word &<< (64 - count)
  }

  @inline(__always)
  private static func initial(_ index: Int) -> UInt64 {
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

  /// Which word of the message each step takes: ten rows of sixteen numbers.
  ///
  /// A static string is the one constant table that costs neither an allocation nor a check at use.
  private static let schedule: StaticString = """
    \u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{a}\u{b}\u{c}\u{d}\u{e}\u{f}\
    \u{e}\u{a}\u{4}\u{8}\u{9}\u{f}\u{d}\u{6}\u{1}\u{c}\u{0}\u{2}\u{b}\u{7}\u{5}\u{3}\
    \u{b}\u{8}\u{c}\u{0}\u{5}\u{2}\u{f}\u{d}\u{a}\u{e}\u{3}\u{6}\u{7}\u{1}\u{9}\u{4}\
    \u{7}\u{9}\u{3}\u{1}\u{d}\u{c}\u{b}\u{e}\u{2}\u{6}\u{5}\u{a}\u{4}\u{0}\u{f}\u{8}\
    \u{9}\u{0}\u{5}\u{7}\u{2}\u{4}\u{a}\u{f}\u{e}\u{1}\u{b}\u{c}\u{6}\u{8}\u{3}\u{d}\
    \u{2}\u{c}\u{6}\u{a}\u{0}\u{b}\u{8}\u{3}\u{4}\u{d}\u{7}\u{5}\u{f}\u{e}\u{1}\u{9}\
    \u{c}\u{5}\u{1}\u{f}\u{e}\u{d}\u{4}\u{a}\u{0}\u{7}\u{6}\u{3}\u{9}\u{2}\u{8}\u{b}\
    \u{d}\u{b}\u{7}\u{e}\u{c}\u{1}\u{3}\u{9}\u{5}\u{0}\u{f}\u{4}\u{8}\u{6}\u{2}\u{a}\
    \u{6}\u{f}\u{e}\u{9}\u{b}\u{3}\u{0}\u{8}\u{c}\u{2}\u{d}\u{7}\u{1}\u{4}\u{a}\u{5}\
    \u{a}\u{2}\u{8}\u{4}\u{7}\u{6}\u{1}\u{5}\u{f}\u{b}\u{9}\u{e}\u{3}\u{c}\u{d}\u{0}
    """
}
