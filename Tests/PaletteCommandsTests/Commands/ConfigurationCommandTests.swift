import Foundation
import PaletteJSON
import Testing

@testable import PaletteCommands

struct ConfigurationCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func call(_ parameters: JSON) throws -> JSON {
    let file = folder.file("deep/config.json")
    let library = FolderAccess(
      location: LibraryLocation(home: folder.path, configurationFile: file)
    )
    return try library.call(Request(method: "config", parameters: parameters)).json
  }

  @Test func listsDefaultsAndCreatesNothing() throws {
    #expect(
      try call([:]) == [
        "settings": [
          ["key": "color", "value": "auto", "origin": "default"],
          ["key": "timeout", "value": nil, "origin": "default"],
          ["key": "name", "value": .string(OwnName.system), "origin": "default"],
        ]
      ]
    )
    #expect(!FileManager.default.fileExists(atPath: folder.file("deep")))
  }

  @Test func remembersWhatIsSet() throws {
    let file = JSON.string(folder.file("deep/config.json"))
    let set = try call(["action": "set", "key": "color", "value": "never"])
    #expect(set == ["key": "color", "value": "never", "origin": file])
    #expect(try call(["action": "get", "key": "color"]) == set)
    _ = try call(["action": "set", "key": "timeout", "value": "2.5"])
    #expect(try call(["action": "get", "key": "timeout"])["value"] == 2.5)
    #expect(try call(["action": "set", "key": "timeout", "value": "none"])["value"] == .null)
    #expect(try folder.text("deep/config.json") == "{\"color\":\"never\",\"timeout\":null}\n")
    #expect(try call(["action": "set", "key": "name", "value": " Ann "])["value"] == "Ann")
    #expect(OwnName(configurationFile: folder.file("deep/config.json")).text == "Ann")
    #expect(OwnName(configurationFile: folder.file("none")).text == OwnName.system)
  }

  @Test(
    arguments: [
      (["action": "get", "key": "colour"], "not-found"),
      (["action": "get"], "bad-usage"),
      (["action": "set", "key": "name", "value": " "], "bad-value"),
      (["action": "set", "key": "color", "value": "maybe"], "bad-value"),
      (["action": "set", "key": "timeout", "value": "0"], "bad-value"),
      (["action": "set", "key": "timeout", "value": "inf"], "bad-value"),
      (["action": "set", "key": "timeout", "value": "soon"], "bad-value"),
      (["action": "set", "key": "other", "value": "x"], "not-found"),
      (["action": "unset", "key": "color"], "bad-usage"),
    ] as [(JSON, String)]
  )
  func refuses(_ parameters: JSON, _ code: String) throws {
    let error = try #require(throws: APIError.self) { try call(parameters) }
    #expect(error.code == code)
    #expect(!FileManager.default.fileExists(atPath: folder.file("deep")))
  }

  @Test func suggestsTheKey() throws {
    let error = try #require(throws: APIError.self) {
      try call(["action": "get", "key": "colour"])
    }
    #expect(error.hint == "did you mean 'color'?")
  }
}
