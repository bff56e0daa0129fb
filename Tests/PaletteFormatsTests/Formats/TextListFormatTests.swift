import PaletteModel
import Testing

@testable import PaletteFormats

struct TextListFormatTests {
  private let format = TextListFormat()

  @Test func writes() throws {
    let text = String(decoding: try format.write(Samples.sheet()), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines.last == "")
    #expect(lines[0] == "rgb(255, 127, 80)\tCoral")
    #expect(lines[1].hasPrefix("rgba(0, 0, 0, ") && lines[1].hasSuffix(")\tHalf \"black\""))
    #expect(lines[2] == "oklch(0.7 0.1 200)\tCaf\u{E9}")
    #expect(try format.write(Samples.sheet([])) == [])
  }

  @Test func readsWhatItWrites() throws {
    let contents = try format.read(try format.write(Samples.sheet()))
    #expect(contents.entries.map(\.name) == Samples.colors.map(\.name))
    #expect(contents.entries.map(\.color) == Samples.colors.map(\.color))
    #expect(contents.skipped.isEmpty && contents.title == nil)
  }

  @Test(
    arguments: [
      ("red", "#ff0000", nil), ("red\tFire", "#ff0000", "Fire"), ("#f00\tA\tB", "#ff0000", "A B"),
      (" #f00  Fire", "#ff0000", "Fire"), ("#ff000080 Fire red ", "#ff000080", "Fire red"),
      ("rgb(255 0 0) Fire", "#ff0000", "Fire"), ("rgb(255 0 0)", "#ff0000", nil),
      ("#f00\t", "#ff0000", nil),
    ] as [(String, String, String?)]
  )
  func reads(_ line: String, _ hex: String, _ name: String?) throws {
    let entries = try format.read(Array("\u{FEFF}\n\(line)\r\n\r\n".utf8)).entries
    #expect(entries.map(\.color.hex) == [hex])
    #expect(entries.map(\.name) == [name])
  }

  @Test(arguments: [
    "ff7f50", "FFf6edc1\nFF8b506d", "; paint.net Palette File\nFFf6edc1", "red\nnot a color",
    "red\n\nThe quick brown fox", "red green", "calc(1)", "var(--x)", "\u{0}\u{1}", "123456",
  ])
  func refuses(_ text: String) {
    #expect(throws: FormatError.self) { try format.read(Array(text.utf8)) }
    #expect(!format.recognises(Array(text.utf8)))
  }

  @Test func namesTheLine() throws {
    let error = try #require(throws: FormatError.self) {
      try format.read(Array("red\n\nnope\n".utf8))
    }
    #expect(error.code == "bad-file" && error.message.hasPrefix("line 3 holds no color"))
  }

  @Test func recognises() {
    #expect(format.recognises(Array("red\tFire\n\n#00f".utf8)))
    #expect(!format.recognises([]))
  }
}
