import PaletteModel
import Testing

struct StringBytesTests {
  @Test(arguments: 0...40)
  func noticesADifferenceAnywhere(length: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSameBytes(as: String(decoding: bytes, as: UTF8.self)))
    #expect(!text.hasSameBytes(as: text + "a"))
    for position in 0..<length {
      var other = bytes
      other[position] = UInt8(ascii: "b")
      #expect(!text.hasSameBytes(as: String(decoding: other, as: UTF8.self)), "at \(position)")
    }
  }
}
