import Testing

@testable import PaletteJSON

struct JSONParserTests {
  struct Valid: Sendable {
    let text: String
    let value: JSON
  }

  @Test(arguments: [
    Valid(text: "null", value: nil),
    Valid(text: " true\t", value: true),
    Valid(text: "\r\nfalse ", value: false),
    Valid(text: "0", value: 0),
    Valid(text: "-0", value: 0),
    Valid(text: "-12", value: -12),
    Valid(text: "1.0", value: 1),
    Valid(text: "0.5", value: 0.5),
    Valid(text: "1e2", value: 100),
    Valid(text: "1E+2", value: 100),
    Valid(text: "25e-2", value: 0.25),
    Valid(text: "1e-999", value: 0),
    Valid(text: "9223372036854775807", value: .integer(.max)),
    Valid(text: "-9223372036854775808", value: .integer(.min)),
    Valid(text: "9223372036854775808", value: .number(0x1p63)),
    Valid(text: "[]", value: []),
    Valid(text: "[ 1 , [2] ]", value: [1, [2]]),
    Valid(text: "{}", value: [:]),
    Valid(text: #"{"a":1, "b" : {"c":null}}"#, value: ["a": 1, "b": ["c": nil]]),
    Valid(text: #"{"a":1,"a":2}"#, value: ["a": 1, "a": 2]),
    Valid(text: #"{"":0}"#, value: ["": 0]),
    Valid(text: #""""#, value: ""),
    Valid(text: #""\"\\\/\b\f\n\r\t""#, value: "\"\\/\u{8}\u{C}\n\r\t"),
    Valid(text: #""a\u0041\u00e9\u20AC\u0000""#, value: "aA\u{E9}\u{20AC}\0"),
    Valid(text: #""\uD83C\uDFA8!""#, value: "\u{1F3A8}!"),
    Valid(text: #""\uDBFF\uDFFF""#, value: "\u{10FFFF}"),
    Valid(
      text: "\"caf\u{E9} \u{1F3A8} \u{7F}\u{2028}\"",
      value: "caf\u{E9} \u{1F3A8} \u{7F}\u{2028}"
    ),
  ])
  func reads(_ valid: Valid) throws {
    #expect(try JSON(parsing: valid.text) == valid.value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulls", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "a",
    "1 2", "1,", "[1]]", "{}x", "01", "-01", "00", "-", "+1", "1.", ".5", "1.e2", "1e", "1e+",
    "0x10",
    "1_000", "1e400", "-1e400", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", #"{"a"#, #"{"a""#,
    #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, "{a:1}", "{1:1}", #"{"a" 1}"#,
    #"{"a":1 "b":2}"#,
    "\"", "\"a", "\"\\", "\"\\\"", #""\x41""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\U0041""#,
    "\"\u{1}\"", "\"a\nb\"", "\"\t\"", "\"\0\"", #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#,
    #""\uD800x""#, #""\uD800\n""#, #""\uDC00\uD800""#, "/**/1", "1 // one", "\u{FEFF}1", "\u{A0}1",
    "\u{C}1", "[\u{B}]",
  ])
  func refuses(_ text: String) {
    #expect(throws: JSONParseError.self) { try JSON(parsing: text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0xEF, 0xBB, 0xBF, 0x31],
      [0x31, 0x00], [0x22, 0x5C, 0x6E, 0xE2, 0x82, 0x22],
    ] as [[UInt8]]
  )
  func refusesBytes(_ bytes: [UInt8]) {
    #expect(throws: JSONParseError.self) { try JSON(parsing: bytes) }
  }

  @Test func limitsDepth() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    _ = try JSON(parsing: deepest)
    #expect(throws: JSONParseError.self) { try JSON(parsing: "[" + deepest + "]") }
    #expect(throws: JSONParseError.self) {
      try JSON(parsing: String(repeating: #"{"a":["#, count: 100_000))
    }
  }

  @Test func countsDepthNotElements() throws {
    let wide = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
    #expect(try JSON(parsing: wide).arrayValue?.count == 1000)
  }

  @Test func saysWhere() throws {
    let error = try #require(throws: JSONParseError.self) {
      try JSON(parsing: "{\n  \"a\": 1,\n  \"b\" 2\n}")
    }
    #expect((error.offset, error.line, error.column) == (18, 3, 7))
    #expect(error.description == "':' expected at line 3, column 7")
  }
}
