import Testing

@testable import PaletteMerge

struct ShortBytesTests {
  private func short(_ bytes: [UInt8]) -> ShortBytes { bytes.withUnsafeBytes { ShortBytes($0) } }

  @Test(arguments: [0, 1, 22, 23, 24, 25, 300])
  func holdsBytesOfAnyLength(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    let value = short(bytes)
    #expect(value.withBytes { [UInt8]($0) } == bytes)
    #expect(value == short(bytes))
    #expect(value.hashValue == short(bytes).hashValue)
    #expect(value != short(bytes + [0]))
    if count > 0 {
      var other = bytes
      other[count - 1] ^= 1
      #expect(value != short(other))
    }
  }

  @Test(arguments: [0, 1, 21, 22, 23, 24, 255, 256, 65_536])
  func writesTextAndBytesAsCBOR(_ count: Int) {
    let text = String(repeating: "x", count: count)
    var writer = CBORWriter()
    writer.write(text: text)
    #expect(RegisterValue(text: text).encoded == writer.bytes)
    #expect(RegisterValue(text: text).text == text)
    #expect(RegisterValue(text: text).placeBytes == nil)
    #expect(RegisterValue(placeBytes: Array(text.utf8)).placeBytes == Array(text.utf8))
    #expect(RegisterValue(placeBytes: Array(text.utf8)).text == nil)
    #expect(RegisterValue(encoded: writer.bytes) == RegisterValue(text: text))
  }
}
