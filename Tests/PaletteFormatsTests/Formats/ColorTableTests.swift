import PaletteModel
import Testing

@testable import PaletteFormats

/// Files as other tools write them, and broken ones.
struct ColorTableTests {
  private func read(_ text: String, _ name: String) throws -> FileContents {
    try FormatRegistry.standard.read(Array(text.utf8), named: name).contents
  }

  @Test func readsWhatGIMPWrites() throws {
    let contents = try read(
      "GIMP Palette\r\nName: Sea\nColumns: 4\n#\n# a comment\n255 127\t80  Coral #ff7f50\n\n"
        + "  0   0   1\tUntitled\n1 2 3\n256 0 0 Too much\nname only\n0 0 0",
      "a.gpl"
    )
    #expect(contents.title == "Sea")
    #expect(contents.entries.map(\.name) == ["Coral #ff7f50", nil, nil, nil])
    #expect(contents.entries.map(\.color.hex) == ["#ff7f50", "#000001", "#010203", "#000000"])
    #expect(contents.skipped.map(\.at) == ["line 10", "line 11"])
  }

  @Test func readsTheOpacityOfAseprite() throws {
    let contents = try read("GIMP Palette\nChannels: RGBA\n#\n1 2 3 128 Mist\n", "a")
    #expect(contents.entries.map(\.color.hex) == ["#01020380"])
    #expect(contents.entries.map(\.name) == ["Mist"])
  }

  @Test func readsTheTitleOfLospec() throws {
    let contents = try read("GIMP Palette\n#Palette Name: Oil 6\n251 245 239\tfbf5ef\n", "a")
    #expect(contents.title == "Oil 6")
  }

  @Test func readsPaintShopPro() throws {
    let contents = try read("\u{FEFF}JASC-PAL\n0100\n3 \n1 2 3 \n4 5 6 7\n", "a.pal")
    #expect(contents.entries.map(\.color.hex) == ["#010203", "#04050607"])
    #expect(contents.skipped.map(\.reason) == ["the file ends after 2 of 3 colors"])
    #expect(try read("JASC-PAL\n0100\n0", "a.pal").entries.isEmpty)
    #expect(throws: FormatError.self) { try read("JASC-PAL\n0100\n3\n1 2 3\n4 5", "a.pal") }
  }

  /// A group without an end, an unknown block, and a color of each model.
  @Test func readsSwatchExchange() throws {
    func block(_ model: String, _ values: [Float]) -> [UInt8] {
      var body: [UInt8] = [0, 2, 0, 0x41, 0, 0] + Array(model.utf8)
      for value in values { body.append(big: value.bitPattern) }
      body += [0, 2]
      return [0, 1, 0, 0, 0, UInt8(body.count)] + body
    }
    let bytes =
      Array("ASEF".utf8) + [0, 1, 0, 0, 0, 0, 0, 9]
      + [0xC0, 1, 0, 0, 0, 0] + [0x12, 0x34, 0, 0, 0, 1, 9]
      + block("RGB ", [1, 0.5, 0]) + block("CMYK", [0, 1, 1, 0]) + block("LAB ", [0.5, 10, -20])
      + block("Gray", [0.2]) + block("XYZ ", [0, 0, 0]) + block("RGB ", [.nan, 0, 0])
      + block("RGB ", [3e38, -3e38, 3e38])
    let contents = try FormatRegistry.standard.read(bytes, named: "a").contents
    #expect(
      contents.entries.prefix(3).map(\.color) == [
        Color(.srgb, 1, 0.5, 0), Color(.srgb, 1, 0, 0), Color(.lab, 50, 10, -20),
      ]
    )
    #expect(contents.entries[3].color.hex == "#333333")
    #expect(contents.entries.map(\.name) == Array(repeating: "A", count: 5))
    #expect(contents.skipped.map(\.at) == ["byte 141", "byte 171"])
    for entry in contents.entries { _ = entry.color.shownBytes }
  }

  @Test func refusesASprite() throws {
    let sprite: [UInt8] = [0x80, 1, 0, 0, 0xE0, 0xA5, 1, 0]
    let error = try #require(throws: FormatError.self) {
      try FormatRegistry.standard.read(sprite, named: "a.ase")
    }
    #expect(error.message == "this is an Aseprite sprite")
  }

  @Test func skipsOtherChunksOfRIFF() throws {
    let bytes =
      Array("RIFF\0\0\0\0PAL junk\u{3}\0\0\0abc\0".utf8) + Array("data\u{8}\0\0\0".utf8)
      + [0, 3, 1, 0, 9, 8, 7, 0]
    let contents = try FormatRegistry.standard.read(bytes, named: "a.pal").contents
    #expect(contents.entries.map(\.color.hex) == ["#090807"])
  }

  /// Every beginning of a file is read or refused; a length of 2 GB is no reason to reserve it.
  @Test(arguments: ["gpl", "ase", "jasc", "riff", "act"])
  func survivesTruncation(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let bytes = try format.write(Samples.sheet())
    for count in 0..<bytes.count {
      if let contents = try? format.read(Array(bytes[..<count])) {
        #expect(contents.entries.count <= Samples.colors.count || name == "act")
      }
    }
    let claims =
      Array("ASEF".utf8) + [0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]
    #expect(throws: FormatError.self) { try ASEFormat().read(claims) }
  }

  @Test(arguments: [0, 767, 769, 771, 1008, 2205])
  func refusesOtherLengthsOfColorTables(_ count: Int) {
    #expect(throws: FormatError.self) { try ACTFormat().read(Array(repeating: 1, count: count)) }
  }

  @Test func countsTheSlotsOfColorTables() throws {
    var bytes = [UInt8](repeating: 200, count: 768)
    #expect(try ACTFormat().read(bytes).entries.count == 256)
    bytes += [0, 7, 0xFF, 0xFF]
    #expect(try ACTFormat().read(bytes).entries.count == 7)
    bytes[768] = 2
    #expect(throws: FormatError.self) { try ACTFormat().read(bytes) }
    let colors = (0..<257).map { Samples.named($0, "x") }
    #expect(throws: FormatError.self) { try ACTFormat().write(Samples.sheet(colors)) }
  }
}
