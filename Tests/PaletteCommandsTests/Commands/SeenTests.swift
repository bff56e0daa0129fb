import PaletteJSON
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

/// An edit that says what it saw leaves what others wrote meanwhile beside it.
struct SeenTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary(colors: ["#ff0000", "#00ff00"]) }

  private func record(_ name: String) throws -> JSON {
    let colors = try #require(try test.call("list", ["palette": "Sea"])["colors"]?.arrayValue)
    return try #require(colors.first { $0["name"]?.stringValue == name })
  }

  private func seen(_ record: JSON) throws -> JSON {
    JSON(try #require(record["seen"]?.stringValue))
  }

  @discardableResult
  private func call(_ method: String, _ color: String, _ more: JSON...) throws -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("palette", "Sea"), ("color", JSON(color)),
    ]
    for document in more { members += document.keys.map { ($0, document[$0] ?? .null) } }
    return try test.call(method, JSON(members))
  }

  @Test func everyRecordSaysWhatItHas() throws {
    let a = try record("a")
    let id = try #require(a["id"]?.stringValue)
    let set = try call("set", id, ["value": "#0000ff"])
    #expect(try seen(set) != seen(a))
    #expect(try seen(record("a")) == seen(set))
    for (method, more) in [
      ("rename", ["name": "c"]), ("note", ["text": "warm"]), ("tweak", ["direction": "lighter"]),
      ("move", ["at": 1]),
    ] as [(String, JSON)] {
      let answer = try call(method, id, more)
      let listed = try test.call("list", ["palette": "Sea"])["colors"]?.arrayValue
      #expect(try seen(#require(listed?.first { $0["id"] == a["id"] })) == seen(answer))
    }
    let undone = try test.call("undo", ["palette": "Sea"])["changed"]?.arrayValue
    #expect(undone?.first?["seen"] != nil)
    let past = try test.call("list", ["palette": "Sea", "at": "2999-01-01T00:00:00Z"])
    let present = try test.call("list", ["palette": "Sea"])
    #expect(past["colors"] == present["colors"])
  }

  @Test func aWriteThatDidNotSeeAnotherIsInConflictWithIt() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    try call("set", id, ["value": "#0000ff"])
    let answer = try call("set", id, ["value": "#ffff00", "seen": old])
    #expect(answer["conflicts"] == ["color"])
    #expect(answer["hex"] == "#ffff00")
    // Who has seen both decides.
    let decided = try call("set", id, ["value": "#ff00ff", "seen": try seen(answer)])
    #expect(decided["conflicts"] == [])
    // Other registers are not concerned.
    #expect(try call("rename", id, ["name": "c", "seen": old])["conflicts"] == [])
  }

  @Test func whatIsThereAlreadyIsNotWrittenAgain() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    try call("set", id, ["value": "#0000ff"])
    let digest = try test.digest()
    try call("set", id, ["value": "#0000ff", "seen": old])
    try call("rename", id, ["name": "a", "seen": old])
    #expect(try test.digest() == digest)
  }

  @Test func aTweakIsOfTheColorThatWasSeen() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    try call("set", id, ["value": "#0000ff"])
    let answer = try call("tweak", id, ["direction": "darker", "seen": old])
    #expect(answer["hex"] == "#cc0000")
    #expect(answer["conflicts"] == ["color"])
  }

  @Test func aRemovalSparesWhatItDidNotSee() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    let b = try seen(record("b"))
    try call("rename", id, ["name": "c"])
    let answer = try test.call(
      "remove",
      ["palette": "Sea", "colors": [JSON(id), "b"], "seen": [old, b]]
    )
    #expect(answer["removed"]?.arrayValue?.count == 1)
    #expect(try test.names() == ["c"])
    let now = try seen(record("c"))
    let gone = try test.call("remove", ["palette": "Sea", "colors": [JSON(id)], "seen": now])
    #expect(gone["removed"] == [.string(id)])
  }

  @Test func aRestoreAndAMoveSayWhatTheySaw() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    let moved = try call("move", id, ["at": 1])
    #expect(try seen(call("move", id, ["at": 0, "seen": old])) != seen(moved))
    try test.call("remove", ["palette": "Sea", "colors": [JSON(id)]])
    #expect(try call("restore", id, ["seen": old])["index"] != .null)
  }

  @Test func resolvesOnlyWhatWasSeen() throws {
    let id = try test.id("a")
    let old = try seen(record("a"))
    try call("rename", id, ["name": "one"])
    let two = try call("rename", id, ["name": "two", "seen": old])
    let three = try call("rename", id, ["name": "three", "seen": old])
    #expect(three["conflicts"] == ["name"])
    let answer = try call(
      "resolve",
      id,
      ["register": "name", "value": "one", "seen": try seen(two)]
    )
    #expect(answer["conflicts"] == ["name"])
    let conflicts = try test.call("conflicts", ["palette": "Sea"])["conflicts"]?.arrayValue
    let values = try #require(conflicts?.first?["values"]?.arrayValue)
    #expect(Set(values.compactMap { $0["value"]?.stringValue }) == ["one", "three"])
  }

  @Test func refusesWhatIsNotOfTheRecord() throws {
    let id = JSON(try test.id("a"))
    let b = try seen(record("b"))
    let before = try test.digest()
    let wrong: [JSON] = [
      b, "", "x", "0000000000000001:1", 7, JSON([try seen(record("a")), b]),
    ]
    for seen in wrong {
      let code = try test.code(
        "set",
        ["palette": "Sea", "color": id, "value": "#000000", "seen": seen]
      )
      #expect(code == (seen.arrayValue == nil ? "bad-seen" : "bad-usage"))
    }
    #expect(
      try test.code("remove", ["palette": "Sea", "colors": [id, "b"], "seen": b]) == "bad-usage"
    )
    #expect(try test.digest() == before)
    let node = try #require(b.stringValue?.split(separator: ":").first)
    for number in ["1", "9"] {
      let seen = JSON("\(node):\(number)")
      #expect(
        try test.code("rename", ["palette": "Sea", "color": id, "name": "c", "seen": seen])
          == "bad-seen"
      )
    }
  }

  @Test func believesWhatWasCompactedAway() throws {
    let id = try test.id("a")
    let color = ["value": "#0000ff"] as JSON
    let first = try seen(call("set", id, color))
    try call("set", id, ["value": "#ffff00"])
    try call("set", id, ["value": "#00ffff"])
    let store = try ChangeStore(writing: try LibraryFolder(test.home))
    let palette = try #require(try store.palettes().first).id
    _ = try store.compact(palette, beforeMilliseconds: .max)
    let record = try #require(RecordID(id))
    let seen = try #require(first.stringValue.flatMap(SeenValues.init))
    #expect(try store.knows(seen, of: record, in: palette))
  }
}
