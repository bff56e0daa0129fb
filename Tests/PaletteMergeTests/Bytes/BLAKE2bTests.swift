import Testing

@testable import PaletteMerge
@testable import PaletteModel

struct BLAKE2bTests {
  /// Hashes of ascending bytes, as another implementation of RFC 7693 gives them.
  @Test(arguments: [
    (0, "cae66941d9efbd404e4d88758ea67670"), (3, "a75c0b0d97360c1ba783496eb6a0395a"),
    (127, "28b1296c7d4807883de6ee4ec04dcc0a"), (128, "a74787004ef589e31149183900d0294a"),
    (129, "aaf1b0371f6d4ee49ee4fb5ddd9c49ef"), (300, "15f53a13900056879b859fc1bcea544d"),
  ])
  func agreesWithTheStandard(length: Int, expected: String) {
    let input = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    var whole = BLAKE2b(resultLength: 16)
    whole.update(input)
    let words = whole.finalizeWords()
    #expect(words.high.hexDigits + words.low.hexDigits == expected)

    var pieces = BLAKE2b(resultLength: 16)
    for byte in input { pieces.update([byte]) }
    #expect(hex(pieces.finalize()) == expected)
  }

  @Test func agreesWithTheExampleOfRFC7693() {
    var hash = BLAKE2b(resultLength: 64)
    hash.update(Array("abc".utf8))
    #expect(hex(hash.finalize()).hasPrefix("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b7"))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
  }
}
