import PaletteJSON
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

/// Several edits of a palette are one action.
struct ActTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary(colors: ["#ff0000", "#00ff00", "#0000ff", "#ffffff"]) }

  private func id(_ name: String) throws -> JSON { JSON(try record(name, "id")) }

  private func record(_ name: String, _ key: String) throws -> String {
    let colors = try #require(try test.call("list", ["palette": "Sea"])["colors"]?.arrayValue)
    let color = try #require(colors.first { $0["name"]?.stringValue == name })
    return try #require(color[key]?.stringValue)
  }

  @Test func oneUndoTakesAllEditsBack() throws {
    let new: JSON = "11111111-2222-4333-8444-555555555555"
    let edits: JSON = [
      ["method": "set", "color": try id("a"), "value": "color(display-p3 0 1 0)"],
      ["method": "rename", "color": try id("b"), "name": "Leaf"],
      ["method": "move", "colors": [try id("d"), try id("a")], "at": 1],
      ["method": "add", "id": new, "value": "teal", "name": "Sea", "at": 0],
      ["method": "remove", "colors": [try id("c")]],
    ]
    let answer = try test.call("act", ["palette": "Sea", "edits": edits])
    #expect(try test.names() == ["Sea", "Leaf", "d", "a"])
    #expect(try record("a", "color") == "color(display-p3 0 1 0)")
    #expect(answer["colors"]?.arrayValue?.count == 4)
    let undone = try test.call("undo", ["palette": "Sea"])
    #expect(try test.names() == ["a", "b", "c", "d"])
    #expect(try record("a", "hex") == "#ff0000")
    #expect(undone["canRedo"] == true)
    #expect(try test.call("redo", ["palette": "Sea"])["canRedo"] == false)
    #expect(try test.names() == ["Sea", "Leaf", "d", "a"])
  }

  @Test func whatOthersWroteSinceStaysBesideIt() throws {
    let (a, seen) = (try id("a"), JSON(try record("a", "seen")))
    try test.call("set", ["palette": "Sea", "color": "a", "value": "#123456"])
    let edit: JSON = ["method": "set", "color": a, "value": "#654321", "seen": seen]
    try test.call("act", ["palette": "Sea", "edits": [edit]])
    #expect(try test.call("conflicts", ["palette": "Sea"])["conflicts"]?.arrayValue?.count == 1)
  }

  @Test func nothingIsDoneWhenOneEditCannotBe() throws {
    let unknown: JSON = "11111111-2222-4333-8444-555555555555"
    for edit: JSON in [
      ["method": "drop"], ["method": "set", "color": unknown, "value": "red"],
      ["method": "move", "colors": [try id("a")], "at": 4], ["method": "add", "value": "no color"],
      ["method": "add", "id": try id("b"), "value": "red"], ["method": "remove", "colors": ["a"]],
    ] {
      let first: JSON = ["method": "remove", "colors": [try id("d")]]
      #expect(throws: (any Error).self) {
        try test.call("act", ["palette": "Sea", "edits": [first, edit]])
      }
    }
    #expect(try test.names() == ["a", "b", "c", "d"])
  }
}
