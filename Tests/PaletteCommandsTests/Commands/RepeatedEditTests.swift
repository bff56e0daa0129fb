import PaletteJSON
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteCommands

/// An edit with a name is made once, however often it is sent.
struct RepeatedEditTests {
  private let edit: JSON = "11111111-2222-4333-8444-555555555555"
  private let other: JSON = "21111111-2222-4333-8444-555555555555"

  @Test func theFirstAnswerIsGivenAgain() throws {
    let test = try TestLibrary(colors: ["#ff0000"])
    let add: JSON = ["palette": "Sea", "value": "#00ff00", "name": "x", "edit": edit]
    let first = try test.call("add", add)
    let digest = try test.digest()
    // Each call opens the library anew.
    #expect(try test.call("add", add) == first)
    try test.call("rename", ["palette": "Sea", "color": "x", "name": "y"])
    #expect(try test.call("add", add) == first)
    #expect(try test.names() == ["a", "y"])
    #expect(try test.digest() != digest)
    let again: JSON = ["palette": "Sea", "value": "#00ff00", "name": "x", "edit": other]
    #expect(try test.call("add", again)["id"] != first["id"])
  }

  @Test func everyEditTakesAName() throws {
    let test = try TestLibrary()
    let edits: [(String, JSON)] = [
      ("new", ["name": "Sea"]), ("add", ["palette": "Sea", "value": "#ff0000", "name": "a"]),
      ("add", ["palette": "Sea", "value": "#00ff00", "name": "b"]),
      ("set", ["palette": "Sea", "color": "a", "value": "#0000ff"]),
      ("note", ["palette": "Sea", "color": "a", "text": ""]),
      ("tweak", ["palette": "Sea", "color": "a", "direction": "lighter"]),
      ("move", ["palette": "Sea", "color": "a", "at": 1]),
      ("remove", ["palette": "Sea", "colors": ["a"]]),
      ("restore", ["palette": "Sea", "color": "a"]), ("undo", ["palette": "Sea"]),
      ("redo", ["palette": "Sea"]), ("rename", ["palette": "Sea", "color": "a", "name": "c"]),
      ("title", ["palette": "Sea", "name": "Lake"]), ("drop", ["palette": "Lake"]),
      ("restore", ["palette": "Lake"]),
      ("import", ["files": [["file": "x.hex", "bytes": JSON(base64: Array("ff8800".utf8))]]]),
    ]
    for (number, (method, parameters)) in edits.enumerated() {
      var random = SeededRandom(seed: UInt64(number))
      let edit = JSON(RecordID(using: &random).description)
      let named = JSON(
        parameters.keys.map { ($0, parameters[$0] ?? .null) } + [(key: "edit", value: edit)]
      )
      let first = try test.call(method, named)
      let digest = try test.digest()
      #expect(try test.call(method, named) == first, "\(method)")
      #expect(try test.digest() == digest, "\(method)")
    }
  }

  @Test func anEditThatFailedIsTriedAgain() throws {
    let test = try TestLibrary(colors: ["#ff0000"])
    let set: JSON = ["palette": "Sea", "color": "b", "value": "#00ff00", "edit": edit]
    #expect(try test.code("set", set) == "not-found")
    try test.call("rename", ["palette": "Sea", "color": "a", "name": "b"])
    #expect(try test.call("set", set)["hex"] == "#00ff00")
    #expect(
      try test.code("set", ["palette": "Sea", "color": "b", "value": "#00ff00", "edit": "x"])
        == "bad-value"
    )
  }

  @Test func aColorGetsTheIDThatItsMakerChose() throws {
    let test = try TestLibrary(colors: ["#ff0000"])
    let add: JSON = ["palette": "Sea", "value": "#00ff00", "id": edit]
    #expect(try test.call("add", add)["id"] == "11111111-2222-4333-8444-555555555555")
    #expect(try test.code("add", add) == "bad-value")
    try test.call("remove", ["palette": "Sea", "colors": [edit]])
    #expect(try test.code("add", add) == "bad-value")
    #expect(
      try test.code("add", ["palette": "Sea", "value": "#00ff00", "id": "11"]) == "bad-value"
    )
  }

  @Test func theAuthorTheTimeAndTheSizeMatter() throws {
    let folder = try TemporaryLibrary()
    let clock = ManualClock()
    let store = try ChangeStore(
      writing: folder.folder,
      random: SeededRandom(seed: 1),
      milliseconds: { clock.milliseconds }
    )
    let id = RecordID(high: 1, low: 2)
    let ann = AuthorID(1)
    let answer = Array("{}".utf8)
    #expect(try store.remember(id, by: ann) { answer } == answer)
    #expect(try store.answer(toEdit: id, by: ann) == answer)
    #expect(try store.answer(toEdit: id, by: AuthorID(2)) == nil)
    let long = [UInt8](repeating: 65, count: ChangeStore.editAnswerBytes + 1)
    #expect(try store.remember(id, by: .library) { long } == long)
    #expect(try store.answer(toEdit: id, by: .library) == [])
    clock.milliseconds += ChangeStore.editMilliseconds
    #expect(try store.answer(toEdit: id, by: ann) == nil)
  }

  @Test func whatWasWrittenIsRememberedWithTheWrite() throws {
    let folder = try TemporaryLibrary()
    let store = try ChangeStore(writing: folder.folder)
    let id = RecordID(high: 1, low: 2)
    // The answer cannot be made, but the edit was.
    #expect(throws: APIError.self) {
      _ = try store.remember(id, by: .library) {
        _ = try store.makePalette(named: "P")
        throw APIError(code: "failed", message: "no answer")
      }
    }
    #expect(try store.answer(toEdit: id, by: .library) == [])
    let failed = RecordID(high: 1, low: 3)
    #expect(throws: StoreError.self) {
      _ = try store.remember(failed, by: .library) {
        try store.write { _ throws(StoreError) in
          throw StoreError(code: .failed, message: "no")
        }
        return []
      }
    }
    #expect(try store.answer(toEdit: failed, by: .library) == nil)
  }
}
