import PaletteTestSupport
import Testing

@testable import PaletteMerge
@testable import PaletteModel

struct CBORTests {
  @Test(arguments: [
    (0, "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65536, "1a00010000"),
    (0x1_0000_0000, "1b0000000100000000"), (UInt64.max, "1bffffffffffffffff"),
  ])
  func writesTheShortestNumber(value: UInt64, expected: String) throws {
    var writer = CBORWriter()
    writer.write(unsigned: value)
    #expect(writer.bytes.hex == expected)
    #expect(try read(expected) { reader throws(CBORError) in try reader.readUnsigned() } == value)
  }

  @Test(arguments: [
    (0, "f90000"), (-0.0, "f98000"), (1, "f93c00"), (1.5, "f93e00"), (65504, "f97bff"),
    (5.960464477539063e-8, "f90001"), (0.00006103515625, "f90400"), (100000, "fa47c35000"),
    (1.1, "fb3ff199999999999a"), (3.4028234663852886e+38, "fa7f7fffff"),
    (1.0e+300, "fb7e37e43c8800759c"), (-4.1, "fbc010666666666666"),
  ])
  func writesTheShortestFloat(value: Double, expected: String) throws {
    var writer = CBORWriter()
    writer.write(value)
    #expect(writer.bytes.hex == expected)
    let read = try read(expected) { reader throws(CBORError) in try reader.readFloat() }
    #expect(read.bitPattern == value.bitPattern)
  }

  @Test func readsEveryFloatThatItWrites() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20000 {
      let bits = random.next()
      let value =
        random.chance(0.5) ? Double(bitPattern: bits) : HalfFloat.value(of: UInt16(bits & 0xFFFF))
      guard value.isFinite else { continue }
      var writer = CBORWriter()
      writer.write(value)
      let read = try read(writer.bytes.hex) { reader throws(CBORError) in try reader.readFloat() }
      #expect(read.bitPattern == value.bitPattern)
    }
  }

  @Test(arguments: [
    ("1817", CBORError.notDeterministic), ("1900ff", .notDeterministic), ("f97c00", .notFinite),
    ("f97e00", .notFinite), ("fa3fc00000", .notDeterministic),
    ("fb3ff8000000000000", .notDeterministic), ("9fff", .notDeterministic),
    ("62c328", .invalidUTF8),
    ("61ed", .invalidUTF8), ("a2010001f6", .notDeterministic), ("a202000100", .notDeterministic),
    ("c100", .unexpectedType), ("5aff", .truncated), ("9b00000001ffffffff", .truncated),
    ("", .truncated),
    ("f7", .unexpectedType), ("8181818181818181818181818181818181818100", .tooDeep),
  ])
  func refusesOtherEncodings(hex: String, expected: CBORError) {
    #expect(throws: expected) {
      try read(hex) { reader throws(CBORError) in _ = try reader.readItem() }
    }
  }

  private func read<Value>(
    _ hex: String,
    _ body: (inout CBORReader) throws(CBORError) -> Value
  ) throws -> Value {
    try bytes(hex: hex).withUnsafeBytes { buffer in
      var reader = CBORReader(buffer)
      return try body(&reader)
    }
  }
}

extension [UInt8] {
  /// Two hexadecimal digits a byte.
  var hex: String {
    flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
  }
}

/// The bytes of a text of hexadecimal digits; spaces and newlines do not count.
func bytes(hex: String) -> [UInt8] {
  let digits = hex.utf8.compactMap(\.hexValue)
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
