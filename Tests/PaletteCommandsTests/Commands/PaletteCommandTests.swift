import Foundation
import PaletteJSON
import Testing

@testable import PaletteCommands

struct PaletteCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary()
  }

  @Test func showsNothingAndMakesNothingWhereNothingIs() throws {
    #expect(try library.call("palettes") == ["palettes": []])
    #expect(try library.call("conflicts") == ["conflicts": []])
    for verb in ["list", "drop", "restore", "undo", "redo", "history", "export"] {
      #expect(try library.code(verb, ["palette": "Sea"]) == "not-found")
    }
    #expect(try library.code("add", ["palette": "Sea", "value": "red"]) == "not-found")
    #expect(try library.code("new", ["name": "a\u{7}"]) == "bad-name")
    #expect(!FileManager.default.fileExists(atPath: library.home))
  }

  @Test func makesPalettesWithNamesOfTheirOwn() throws {
    let made = try library.call("new", ["name": " Sea "])
    #expect(made.keys == ["id", "name", "count", "digest"])
    #expect(made["name"] == "Sea" && made["count"] == 0)
    #expect(made["digest"]?.stringValue?.count == 32)
    let digest = try library.digest()
    #expect(try library.code("new", ["name": "Sea"]) == "exists")
    #expect(try library.digest() == digest)
    // Another spelling of the same letter is another name.
    try library.call("new", ["name": "\u{E9}"])
    try library.call("new", ["name": "e\u{301}"])
    #expect(try library.call("palettes")["palettes"]?.arrayValue?.count == 3)
  }

  @Test func takesTheIDThatACallerMade() throws {
    let id: JSON = "6b2fd1c8-0a52-4f0e-9b62-1f1d4a5b9c30"
    #expect(try library.call("new", ["name": "Sea", "id": id])["id"] == id)
    #expect(try library.code("new", ["name": "Sky", "id": id]) == "bad-value")
    #expect(try library.code("new", ["name": "Sky", "id": "6b2fd1c8"]) == "bad-value")
    // Dropped, it is still the id of that palette.
    try library.call("drop", ["palette": "Sea"])
    #expect(try library.code("new", ["name": "Sky", "id": id]) == "bad-value")
    #expect(try library.call("palettes") == ["palettes": []])
  }

  @Test(arguments: ["", " ", "a\nb", "\u{9B}", String(repeating: "x", count: 1025)])
  func refusesNames(_ name: String) throws {
    #expect(try library.code("new", ["name": JSON(name)]) == "bad-name")
  }

  @Test func listsByName() throws {
    for name in ["b", "Z", "a"] { try library.call("new", ["name": JSON(name)]) }
    let palettes = try #require(try library.call("palettes")["palettes"]?.arrayValue)
    #expect(palettes.map { $0["name"] } == ["Z", "a", "b"])
    #expect(palettes[0].keys == ["id", "name", "count", "digest"])
  }

  @Test func listsThoseOfAName() throws {
    for name in ["Dusk", "Sea", "Deep sea"] { try library.call("new", ["name": JSON(name)]) }
    func names(_ parameters: JSON) throws -> [String?]? {
      try library.call("palettes", parameters)["palettes"]?.arrayValue?.map {
        $0["name"]?.stringValue
      }
    }
    #expect(try names(["match": "SEA"]) == ["Deep sea", "Sea"])
    #expect(try names(["match": ""])?.count == 3)
    #expect(try names(["match": "x"]) == [])
    try library.call("drop", ["palette": "Sea"])
    try library.call("drop", ["palette": "Dusk"])
    #expect(try names(["dropped": true]) == ["Dusk", "Sea"])
    #expect(try names(["dropped": true, "match": "sea"]) == ["Sea"])
    #expect(try names(["dropped": false]) == ["Deep sea"])
    try library.call("restore", ["palette": "Sea"])
    #expect(try names(["dropped": true]) == ["Dusk"])
  }

  @Test func pagesPalettes() throws {
    for name in ["d", "b", "a", "c", "e"] { try library.call("new", ["name": JSON(name)]) }
    var names: [String] = []
    var parameters: JSON = ["limit": 2]
    while true {
      let page = try library.call("palettes", parameters)
      let palettes = try #require(page["palettes"]?.arrayValue)
      names += palettes.compactMap { $0["name"]?.stringValue }
      guard page["more"] == true else {
        #expect(page.keys == ["palettes"])
        break
      }
      #expect(palettes.count == 2)
      parameters = ["limit": 2, "after": palettes[1]["id"] ?? .null]
    }
    #expect(names == ["a", "b", "c", "d", "e"])
    let unknown: JSON = ["after": "00000000-0000-0000-0000-00000000abcd"]
    #expect(try library.code("palettes", unknown) == "not-found")
    #expect(try library.code("palettes", ["after": "abcd"]) == "bad-value")
    #expect(try library.call("palettes", ["limit": 0])["palettes"] == [])
  }

  @Test func statusIsOfOnePaletteWhereOneIsNamed() throws {
    for name in ["a", "b", "c"] { try library.call("new", ["name": JSON(name)]) }
    try library.call("add", ["palette": "b", "value": "red"])
    let all = try library.call("status")
    #expect(all["palettes"]?.arrayValue?.count == 3)
    #expect(all["totals"]?["palettes"] == 3 && all["totals"]?["colors"] == 1)
    let some = try library.call("status", ["limit": 2])
    #expect(some["palettes"]?.arrayValue?.count == 2 && some["more"] == true)
    let one = try library.call("status", ["palette": "b"])
    #expect(one["palettes"]?.arrayValue?.map { $0["name"] } == ["b"])
    #expect(one.keys == all.keys && one["digest"] == all["digest"])
    #expect(try library.code("status", ["palette": "x"]) == "not-found")
  }

  @Test func renames() throws {
    let sea = try library.call("new", ["name": "Sea"])
    try library.call("new", ["name": "Sky"])
    #expect(try library.code("title", ["palette": "Sea", "name": "Sky"]) == "exists")
    let same = try library.call("title", ["palette": "Sea", "name": "Sea"])
    #expect(same == sea)
    let renamed = try library.call("title", ["palette": "Sea", "name": "Dusk"])
    #expect(renamed["name"] == "Dusk" && renamed["id"] == sea["id"])
    #expect(renamed["digest"] != sea["digest"])
    #expect(try library.code("list", ["palette": "Sea"]) == "not-found")
  }

  @Test func dropsAndRestores() throws {
    try library.call("new", ["name": "Sea"])
    try library.call("add", ["palette": "Sea", "value": "red"])
    #expect(try library.code("restore", ["palette": "Sea"]) == "not-removed")
    let dropped = try library.call("drop", ["palette": "Sea"])
    #expect(dropped["name"] == "Sea" && dropped["count"] == 1)
    #expect(try library.call("palettes") == ["palettes": []])
    for verb in ["list", "drop", "undo", "history", "conflicts"] {
      #expect(try library.code(verb, ["palette": "Sea"]) == "not-found")
    }
    let restored = try library.call("restore", ["palette": "Sea"])
    #expect(restored.keys == ["id", "name", "count", "digest"])
    #expect(restored["id"] == dropped["id"] && restored["count"] == 1)
    #expect(try library.names() == ["#ff0000"])
    #expect(try library.code("restore", ["palette": "Nope"]) == "not-found")
  }

  @Test func aNameIsFreeOnceItsPaletteIsDropped() throws {
    let first = try library.call("new", ["name": "Sea"])
    try library.call("drop", ["palette": "Sea"])
    let second = try library.call("new", ["name": "Sea"])
    #expect(first["id"] != second["id"])
    try library.call("restore", ["palette": "Sea"])
    #expect(try library.code("list", ["palette": "Sea"]) == "ambiguous")
    let id = try #require(first["id"]?.stringValue)
    let prefix = String(id.prefix(8)).uppercased()
    #expect(
      try library.call("list", ["palette": JSON(prefix)])["palette"]?["id"] == first["id"]
    )
  }

  @Test func aDropIsNotUndone() throws {
    try library.call("new", ["name": "Sea"])
    try library.call("title", ["palette": "Sea", "name": "Sky"])
    #expect(try library.call("undo", ["palette": "Sky"])["changed"] == [])
  }

  /// The first colors of palettes come where they are asked for, and no palette is read otherwise.
  @Test func listsTheFirstColors() throws {
    let library = try TestLibrary(colors: ["red", "lime", "blue"])
    let plain = try library.call("palettes")["palettes"]?[0]
    #expect(plain?.keys == ["id", "name", "count", "digest"])
    let listed = try library.call("palettes", ["strip": 2])["palettes"]?[0]
    #expect(listed?["strip"] == ["#ff0000", "#00ff00"])
    #expect(try library.code("palettes", ["strip": -1]) == "bad-value")
  }

  /// Whoever had a palette in view reads who dropped it.
  @Test func aDroppedPaletteHasAHistoryByItsID() throws {
    let library = try TestLibrary(colors: ["red"])
    let id = try #require(try library.call("drop", ["palette": "Sea"])["id"])
    let actions = try library.call("history", ["palette": id, "actions": true])["actions"]
    #expect(actions?[0]?["kind"] == "drop")
    #expect(try library.call("history", ["palette": id])["changes"]?.arrayValue?.isEmpty == false)
    #expect(try library.code("history", ["palette": "Sea"]) == "not-found")
    let other: JSON = "6b2fd1c8-0a52-4f0e-9b62-1f1d4a5b9c30"
    #expect(try library.code("history", ["palette": other]) == "not-found")
  }

  @Test func aSampleIsInTheOrderOfTheList() throws {
    let library = try TestLibrary(colors: (0..<8).map { "rgb(\($0), 0, 0)" })
    func hexes(_ parameters: JSON) throws -> [String] {
      try library.call("list", parameters)["colors"]?.arrayValue?.compactMap {
        $0["hex"]?.stringValue
      } ?? []
    }
    let all = try hexes(["palette": "Sea"])
    let sample = try hexes(["palette": "Sea", "sample": 3])
    #expect(sample.count == 3 && Set(sample).isSubset(of: all))
    #expect(sample == all.filter(sample.contains))
    #expect(try hexes(["palette": "Sea", "sample": 100]) == all)
    #expect(try library.code("list", ["palette": "Sea", "sample": -1]) == "bad-value")
  }
}
