import PaletteModel
import Testing

@testable import PaletteFormats

struct HexFormatTests {
  private let format = HexFormat()

  private func hexes(_ text: String) throws -> [String] {
    try format.read(Array(text.utf8)).entries.map(\.color.hex)
  }

  @Test func writes() throws {
    let bytes = try format.write(Samples.sheet())
    #expect(String(decoding: bytes, as: UTF8.self) == "ff7f50\n00000080\n\(oklchDigits)\n")
    #expect(try format.write(Samples.sheet([])) == [])
  }

  private var oklchDigits: Substring { Samples.colors[2].color.hex.dropFirst() }

  @Test(
    arguments: [
      ("ff7f50\n00000080\n", ["#ff7f50", "#00000080"]),
      ("#FF7F50\r\n#abc\r\n#abcd", ["#ff7f50", "#aabbcc", "#aabbccdd"]),
      ("\u{FEFF}; a comment\n\n  ff7f50  \rabc\r", ["#ff7f50", "#aabbcc"]),
      ("", []), ("\n\n", []), ("; only a comment", []),
    ] as [(String, [String])]
  )
  func reads(_ text: String, _ expected: [String]) throws {
    #expect(try hexes(text) == expected)
  }

  @Test func skipsOtherLines() throws {
    let contents = try format.read(Array("ff7f50\nff7f5\n\n##ff7f50\ngg0000\nff7f50 x".utf8))
    #expect(contents.entries.count == 1)
    #expect(contents.skipped.map(\.at) == ["line 2", "line 4", "line 5", "line 6"])
  }

  @Test func saysThatColorsAreRounded() throws {
    let entry = try #require(try format.read(Array("ff7f50".utf8)).entries.first)
    #expect(entry.isRounded && entry.name == nil && entry.note == nil && entry.id == nil)
  }

  @Test(arguments: [
    ("ff7f50\n#abc", true), ("#fff", true), ("ff7f50", true), ("ff7f50\nff7f5080", true),
    ("", false), ("abc\nbed", false), ("FFf6edc1\nFF8b506d", false), ("ff7f50\nno", false),
    ("ff7f50\tCoral", false), ("; paint\nFFf6edc1", false),
  ])
  func recognises(_ text: String, _ expected: Bool) {
    #expect(format.recognises(Array(text.utf8)) == expected)
  }
}
