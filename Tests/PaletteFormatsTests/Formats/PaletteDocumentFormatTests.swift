import PaletteModel
import Testing

@testable import PaletteFormats
@testable import PaletteJSON

struct PaletteDocumentFormatTests {
  private let format = PaletteDocumentFormat()

  @Test func writesTheDocumentOfList() throws {
    let document = try JSON(parsing: try format.write(Samples.sheet()))
    #expect(
      document["palette"] == [
        "id": "11112222-3333-4444-8000-000000000063", "name": "Reef", "count": 3,
        "digest": "00112233445566778899aabbccddeeff",
      ]
    )
    #expect(
      document["colors"]?[0] == [
        "id": "11112222-3333-4444-8000-000000000001", "name": "Coral", "color": "rgb(255, 127, 80)",
        "hex": "#ff7f50", "index": 0, "note": "", "conflicts": [],
      ]
    )
    #expect(document["colors"]?[1]?["conflicts"] == ["name", "color"])
    #expect(document["colors"]?[1]?["note"] == "two\nlines")
    #expect(document["colors"]?[2]?["index"] == 2)
    #expect(document.objectValue?.members.map(\.key) == ["palette", "colors"])
  }

  @Test func writesAnEmptyPalette() throws {
    let bytes = try format.write(Samples.sheet([]))
    #expect(try JSON(parsing: bytes)["colors"] == [])
    let contents = try format.read(bytes)
    #expect(contents.title == "Reef" && contents.entries.isEmpty && contents.skipped.isEmpty)
  }

  @Test func readsWhatItWrites() throws {
    let contents = try format.read(try format.write(Samples.sheet()))
    #expect(contents.title == "Reef")
    #expect(contents.entries.map(\.id) == Samples.colors.map(\.id))
    #expect(contents.entries.map(\.name) == Samples.colors.map(\.name))
    #expect(contents.entries.map(\.color) == Samples.colors.map(\.color))
    #expect(contents.entries.map(\.note) == Samples.colors.map(\.note))
    #expect(contents.entries.allSatisfy { !$0.isRounded })
  }

  @Test func needsLittle() throws {
    let text =
      ##"{"colors":[{"hex":"#F00"},{"color":"blue","name":" B\u0007 ","note":null,"id":"x"}]}"##
    let contents = try format.read([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(
      contents.entries == [
        FileEntry(color: Color(red8: 255, green8: 0, blue8: 0)),
        FileEntry(name: "B", color: Color(red8: 0, green8: 0, blue8: 255)),
      ]
    )
    #expect(contents.title == nil)
  }

  @Test func skipsWhatIsNoColor() throws {
    let text = ##"{"colors":[{"hex":"#f00"},{},{"color":"nope"},7,{"color":5,"hex":"#00f"}]}"##
    let contents = try format.read(Array(text.utf8))
    #expect(contents.entries.map(\.color.hex) == ["#ff0000", "#0000ff"])
    #expect(contents.skipped.map(\.at) == ["colors[1]", "colors[2]", "colors[3]"])
  }

  @Test(arguments: ["", "{", "[]", "{}", #"{"colors":{}}"#, #"{"colors":[}"#, "7"])
  func refuses(_ text: String) {
    #expect(throws: FormatError.self) { try format.read(Array(text.utf8)) }
    #expect(!format.recognises(Array(text.utf8)))
  }

  @Test func recognises() throws {
    #expect(format.recognises(try format.write(Samples.sheet())))
    #expect(format.recognises(Array("\u{FEFF} {\"colors\": []}".utf8)))
    #expect(!format.recognises(Array(#"["colors"]"#.utf8)))
    #expect(!format.recognises(Array(#"{"a":"\"colors\""}"#.utf8)))
  }
}
