import PaletteJSON
import PaletteModel
import PaletteStore
import PaletteTestSupport
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

  @Test func editsThatNeedNoListAreOneActionToo() throws {
    let (a, b, d) = (try id("a"), try id("b"), try id("d"))
    let edits: JSON = [
      ["method": "set", "color": a, "value": "teal"], ["method": "note", "color": b, "text": ""],
      ["method": "rename", "color": d, "name": "gone"], ["method": "remove", "colors": [d]],
      ["method": "set", "color": a, "value": "red"], ["method": "rename", "color": a, "name": "Z"],
    ]
    let answer = try test.call("act", ["palette": "Sea", "edits": edits])
    #expect(answer["colors"]?.arrayValue?.map { $0["name"].stringValue } == ["Z", "b"])
    #expect(try test.names() == ["Z", "b", "c"])
    try test.call("undo", ["palette": "Sea"])
    #expect(try test.names() == ["a", "b", "c", "d"])
    let late: JSON = ["method": "set", "color": d, "value": "red"]
    #expect(throws: (any Error).self) {
      try test.call(
        "act",
        ["palette": "Sea", "edits": [["method": "remove", "colors": [d]], late]]
      )
    }
    let added: JSON = [["method": "add", "value": "red"], ["method": "add", "value": "blue"]]
    let new = try test.call("act", ["palette": "Sea", "edits": added])
    #expect(new["colors"]?.arrayValue?.map { $0["index"].intValue } == [4, 5])
    try test.call("undo", ["palette": "Sea"])
    #expect(try test.names() == ["a", "b", "c", "d"])
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

  @Test func aColorNamedTwiceIsRefused() throws {
    let a = try id("a")
    for method: JSON in ["move", "remove"] {
      let edit: JSON = ["method": method, "colors": [a, a], "at": 0]
      #expect(try test.code("act", ["palette": "Sea", "edits": [edit]]) == "bad-usage")
    }
    let edits: JSON = [
      ["method": "move", "colors": [a], "at": 3],
      ["method": "move", "colors": [try id("b"), a], "before": try id("d")],
      ["method": "move", "colors": [try id("c")], "after": a],
    ]
    try test.call("act", ["palette": "Sea", "edits": edits])
    #expect(try test.names() == ["b", "a", "c", "d"])
  }

  /// An editor's request must not hold the node up for long, nor end it.
  @Test func anActionHasALimitedLength() throws {
    let edit: JSON = ["method": "note", "color": try id("a"), "text": "n"]
    let edits = JSON.array(Array(repeating: edit, count: 10_001))
    #expect(try test.code("act", ["palette": "Sea", "edits": edits]) == "too-large")
  }
}

/// The order of colors that an action moves about.
struct ColorChainTests {
  private static func color() -> NamedColor {
    NamedColor(name: "c", color: Color(.srgb, 1, 1, 1))
  }

  @Test(arguments: 1...20)
  func isTheListThatAnArrayWouldBe(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = (0..<8).map { _ in Self.color() }
    var chain = ColorChain(list)
    for _ in 0..<200 {
      if Bool.random(using: &random), let index = list.indices.randomElement(using: &random) {
        #expect(chain.remove(list.remove(at: index).id) != nil)
      } else {
        let (new, index) = (Self.color(), Int.random(in: 0...list.count, using: &random))
        chain.insert(new, after: try chain.color(before: index))
        list.insert(new, at: index)
      }
      #expect(chain.colors == list && chain.last == list.last?.id)
      for (before, color) in zip([nil] + list.map(\.id), list) {
        #expect(chain.color(before: color.id) == before)
      }
    }
    #expect(chain.remove(RecordID(high: 1, low: 1)) == nil)
    #expect(throws: APIError.self) { try chain.color(before: list.count + 1) }
  }

  @Test func positionsAsNumbersEnd() throws {
    var chain = ColorChain((0..<100_000).map { _ in Self.color() })
    #expect(throws: APIError.self) {
      for _ in 0..<101 { _ = try chain.color(before: 50_000) }
    }
  }
}
