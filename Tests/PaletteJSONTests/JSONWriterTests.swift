import Testing

@testable import PaletteJSON

struct JSONWriterTests {
  private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func separatesByItself() {
    let text = written { writer in
      writer.beginObject()
      writer.member("a", 1)
      writer.key("b")
      writer.beginArray()
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.string("x")
      writer.document(Array("[1,2]".utf8))
      writer.null()
      writer.endArray()
      writer.member("c", false)
      writer.member("d", String?.none)
      writer.member("e", ["g", "h"])
      writer.endObject()
    }
    #expect(
      text
        == #"{"a":1,"b":[{},[],"x",[1,2],null],"c":false,"d":null,"e":["g","h"]}"#
    )
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (255, "255"),
    (1e15, "1000000000000000"),
    (0x1p53, "9007199254740992"), (-0x1p53, "-9007199254740992"),
    (0.30000000000000004, "0.30000000000000004"),
    (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
  ])
  func writesNumbers(_ value: Double, _ text: String) {
    #expect(written { $0.number(value) } == text)
  }

  @Test(arguments: [
    1e21, 1e300, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1p53 + 2, .pi, 1e-7,
    123456.789e-12,
  ])
  func keepsNumbers(_ value: Double) throws {
    #expect(try JSON(parsing: written { $0.number(value) }).numberValue == value)
  }

  @Test func writesIntegers() {
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(9) } == "9")
    #expect(written { $0.integer(10) } == "10")
  }

  @Test func escapesTexts() {
    #expect(
      written { $0.string("\"\\/\u{8}\t\n\u{C}\r\0\u{1F} \u{7F}caf\u{E9}\u{1F3A8}") }
        == #""\"\\/\b\t\n\f\r\u0000\u001f "# + "\u{7F}caf\u{E9}\u{1F3A8}\""
    )
  }
}
