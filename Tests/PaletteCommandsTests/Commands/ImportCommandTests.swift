import Foundation
import PaletteJSON
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

struct ImportCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
  }

  private func file(_ name: String, _ text: String) -> JSON {
    ["file": JSON(name), "bytes": JSON(base64: Array(text.utf8))]
  }

  private func run(
    _ files: [JSON],
    _ others: [(key: String, value: JSON)] = []
  ) throws -> [JSON] {
    let answer = try library.call("import", JSON([("files", JSON(files))] + others))
    return try #require(answer["files"]?.arrayValue)
  }

  private func counts(_ file: JSON) -> [Int64?] {
    ["inserted", "deleted", "moved", "updated"].map { file[$0]?.integerValue }
  }

  @Test func makesAPaletteNamedAfterTheFile() throws {
    let files = try run([file("/some/where/Sea.hex", "ff0000\n00ff00\n")])
    #expect(
      files[0].keys == [
        "file", "format", "palette", "digest", "colors", "skipped", "inserted", "deleted", "moved",
        "updated", "error",
      ]
    )
    #expect(files[0]["file"] == "/some/where/Sea.hex" && files[0]["format"] == "hex")
    #expect(files[0]["colors"] == 2 && files[0]["error"] == .null)
    #expect(counts(files[0]) == [2, 0, 0, 0])
    let list = try library.call("list", ["palette": "Sea"])
    #expect(list["palette"]?["id"] == files[0]["palette"])
    #expect(list["palette"]?["digest"] == files[0]["digest"])
    #expect(try library.names() == ["#ff0000", "#00ff00"])
  }

  @Test func theTitleInTheFileComesFirst() throws {
    let text = #"{"palette":{"name":"Sea"},"colors":[{"color":"red","name":"Rot"}]}"#
    _ = try run([file("x.json", text)])
    #expect(try library.names() == ["Rot"])
  }

  @Test func importingAgainChangesOnlyWhatDiffers() throws {
    _ = try run([file("Sea.txt", "red\ta\nlime\tb\nblue\tc\n")])
    let ids = try ["a", "b", "c"].map(library.id)
    let digest = try library.digest()
    #expect(counts(try run([file("Sea.txt", "red\ta\nlime\tb\nblue\tc\n")])[0]) == [0, 0, 0, 0])
    #expect(try library.digest() == digest)
    let changed = try run([file("Sea.txt", "blue\tc\nwhite\ta\nblack\td\n")])[0]
    #expect(counts(changed) == [1, 1, 1, 1])
    #expect(try library.names() == ["c", "a", "d"])
    #expect(try library.id("a") == ids[0] && library.id("c") == ids[2])
    #expect(try library.call("undo", ["palette": "Sea"])["changed"]?.arrayValue?.count == 4)
    #expect(try library.names() == ["a", "b", "c"])
    #expect(try ["a", "b", "c"].map(library.id) == ids)
    #expect(try library.call("redo", ["palette": "Sea"])["skipped"] == [])
    #expect(try library.names() == ["c", "a", "d"])
  }

  @Test func severalFilesMakeOneList() throws {
    let files = try run(
      [file("1.hex", "ff0000\n"), file("2.hex", "00ff00\n0000ff\n")],
      [("palette", " Sea ")]
    )
    #expect(files[0]["palette"] == files[1]["palette"])
    #expect(counts(files[0]) == [1, 0, 0, 0] && counts(files[1]) == [2, 0, 0, 0])
    #expect(try library.names() == ["#ff0000", "#00ff00", "#0000ff"])
    let fewer = try run(
      [file("2.hex", "0000ff\n"), file("1.hex", "ffffff\n")],
      [("palette", "Sea")]
    )
    #expect(counts(fewer[0]) == [0, 2, 0, 0] && counts(fewer[1]) == [1, 0, 0, 0])
  }

  @Test func refusedFilesDoNotStopTheOthers() throws {
    let missing: JSON = [
      "file": "gone.hex", "error": ["code": "not-found", "message": "no", "hint": nil],
    ]
    let files = try run([
      file("bad.bin", "\u{0}\u{1}"), missing, file("Sea.hex", "ff0000\n"),
      file("-", "ff0000\n"), file("Some.hex", "123456\nnope\n"),
    ])
    #expect(
      files.map { $0["error"]?["code"] } == ["bad-format", "not-found", nil, "bad-name", nil]
    )
    #expect(files[0]["palette"] == .null && files[0]["colors"] == 0)
    #expect(files[4]["skipped"]?[0]?.keys == ["at", "reason"])
    #expect(try library.call("palettes")["palettes"]?.arrayValue?.count == 2)
  }

  @Test func makesNothingWhenEveryFileIsRefused() throws {
    let files = try run([file("bad.bin", "\u{0}")])
    #expect(files[0]["error"]?.keys == ["code", "message", "hint"])
    #expect(!FileManager.default.fileExists(atPath: library.home))
    #expect(try library.code("import", ["files": [], "format": "doc"]) == "bad-format")
    #expect(try library.code("import", ["files": [], "palette": ""]) == "bad-name")
    #expect(try library.code("import", ["files": [["file": "x"]]]) == "bad-usage")
    #expect(try library.code("import") == "bad-usage")
  }

  @Test func anEmptyListEmptiesThePalette() throws {
    _ = try run([file("Sea.hex", "ff0000\n")])
    #expect(counts(try run([file("Sea.hex", "")], [("format", "hex")])[0]) == [0, 1, 0, 0])
    #expect(try library.names() == [])
  }

  /// What some site looks like is no list from which every color was deleted.
  @Test func aStylesheetWithoutColorsEmptiesNothing() throws {
    _ = try run([file("Sea.hex", "ff0000\n")])
    let files = try run(
      [file("site.css", ":root { --gap: 4px }\na { color: red }\n")],
      [("palette", "Sea")]
    )
    #expect(files[0]["error"]?["code"] == "bad-file")
    #expect(try library.names() == ["#ff0000"])
    let empty = "/* Palette: Sea */\n:root {\n}\n"
    #expect(counts(try run([file("a.css", empty)])[0]) == [0, 1, 0, 0])
  }

  @Test func refusesMoreThanAPaletteMayHave() throws {
    let lines = String(repeating: "ff0000\n", count: Limit.colors + 1)
    let files = try run([file("Sea.hex", lines), file("Sky.hex", "ff0000\n")])
    #expect(files[0]["error"]?["code"] == "too-large" && files[1]["error"] == .null)
    #expect(try library.call("palettes")["palettes"]?.arrayValue?.count == 1)
  }

  @Test func refusesOneMoreColorThanAPaletteMayHave() throws {
    _ = try run([file("Sea.hex", "ff0000\n")])
    let path = library.home + "/library.sqlite"
    let connection = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    try connection.execute("UPDATE palette SET colors = \(Limit.colors)")
    #expect(try library.code("add", ["palette": "Sea", "value": "red"]) == "too-large")
  }
}
