import PaletteJSON
import Testing

@testable import PaletteCommands

struct ExportCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "#00ff0080"])
  }

  private func export(_ others: [(key: String, value: JSON)]) throws -> (String, String) {
    let parameters = JSON([("palette", "Sea")] + others)
    let request = Request(method: "export", parameters: parameters)
    let answer = try library.library.call(request).json
    let bytes = try #require(answer["bytes"].base64Bytes)
    return (try #require(answer["format"].stringValue), String(decoding: bytes, as: UTF8.self))
  }

  @Test func writesTheFormatThatIsAskedFor() throws {
    #expect(try export([("format", "hex")]) == ("hex", "ff0000\n00ff0080\n"))
    #expect(try export([("format", "TXT"), ("output-extension", "hex")]).0 == "txt")
    #expect(try export([("output-extension", "hex")]).0 == "hex")
  }

  @Test func writesSomeColorsAloneInTheOrderOfThePalette() throws {
    let list = try library.call("list", ["palette": "Sea"])["colors"].arrayValue ?? []
    let ids = list.compactMap { $0["id"].stringValue }
    func hex(_ ids: [String]) throws -> String {
      try export([("format", "hex"), ("colors", .array(ids.map { .string($0) }))]).1
    }
    #expect(try hex([ids[1]]) == "00ff0080\n")
    #expect(try hex(ids.reversed()) == "ff0000\n00ff0080\n")
    let unknown: JSON = ["palette": "Sea", "colors": ["11111111-2222-4333-8444-555555555555"]]
    #expect(try library.code("export", unknown) == "not-found")
  }

  @Test func writesTheListAsItIsWithoutAFormat() throws {
    let (format, text) = try export([])
    #expect(format == "json")
    let list = try library.call("list", ["palette": "Sea"])
    #expect(try JSON(parsing: Array(text.utf8)) == list.withoutSeen)
  }

  @Test(
    arguments: [
      (["palette": "Sea", "format": "doc"], "bad-format"),
      (["palette": "Sea", "output-extension": "doc"], "bad-format"),
      (["palette": "Sky", "format": "hex"], "not-found"),
      (["format": "hex"], "bad-usage"),
    ] as [(JSON, String)]
  )
  func refuses(_ parameters: JSON, _ code: String) throws {
    #expect(try library.code("export", parameters) == code)
  }
}
