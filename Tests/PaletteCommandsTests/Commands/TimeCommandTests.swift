import PaletteJSON
import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteCommands

struct TimeCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime"])
  }

  private func undo() throws -> [JSON] {
    let answer = try library.call("undo", ["palette": "Sea"])
    #expect(
      answer.keys == [
        "changed", "skipped", "forgotten", "action", "summary", "canUndo", "canRedo",
      ]
    )
    return try #require(answer["changed"]?.arrayValue)
  }

  private func redo() throws -> [JSON] {
    try #require(try library.call("redo", ["palette": "Sea"])["changed"]?.arrayValue)
  }

  private static let actions: [(String, [(key: String, value: JSON)])] = [
    ("add", [("value", "blue"), ("at", 0)]),
    ("set", [("color", "a"), ("value", "blue")]),
    ("rename", [("color", "a"), ("name", "z")]),
    ("note", [("color", "a"), ("text", "n")]),
    ("move", [("color", "a"), ("at", 1)]),
    ("remove", [("colors", ["a", "b"])]),
    ("tweak", [("color", "a"), ("direction", "darker")]),
  ]

  @Test(arguments: TimeCommandTests.actions)
  func undoesAndRedoes(_ method: String, _ others: [(key: String, value: JSON)]) throws {
    func colors() throws -> JSON? {
      try library.call("list", ["palette": "Sea"])["colors"]?.withoutSeen
    }
    let before = try colors()
    try library.call(method, JSON([("palette", "Sea")] + others))
    let after = try colors()
    #expect(before != after)
    #expect(try undo().isEmpty == false)
    #expect(try colors() == before)
    #expect(try redo().isEmpty == false)
    #expect(try colors() == after)
  }

  /// An empty list of the past says why it is empty.
  @Test func tellsThatAPaletteWasNotThereYet() throws {
    func absence(_ time: JSON) throws -> JSON? {
      let list = try library.call("list", ["palette": "Sea", "at": time])
      return list["absent"]
    }
    let long = try library.call("list", ["palette": "Sea", "at": "1970-01-02"])
    #expect(long["absent"] == "not-yet" && long["colors"] == [])
    #expect(try absence("2200-01-01") == nil)
  }

  @Test func tellsWhatChanged() throws {
    let id = JSON.string(try library.id("b"))
    #expect(try undo() == [["id": id, "removed": true, "name": "b"]])
    #expect(try redo().first?.keys.first == "id")
    #expect(try redo() == [])
    #expect(try undo().count == 1 && undo().count == 1 && undo().isEmpty)
  }

  @Test func aNewEditClearsRedo() throws {
    _ = try undo()
    try library.call("add", ["palette": "Sea", "value": "blue"])
    #expect(try redo() == [])
  }

  @Test func leavesWhatOthersWrote() throws {
    try library.call("set", ["palette": "Sea", "color": "a", "value": "blue"])
    try library.editElsewhere([("a", .color, RegisterValue(color: Color(.srgb, 1, 1, 1)))])
    try library.receive()
    let answer = try library.call("undo", ["palette": "Sea"])
    #expect(answer["changed"] == [])
    let skipped = try #require(answer["skipped"]?[0])
    #expect(skipped.keys == ["id", "name", "register", "reason"] && skipped["register"] == "color")
    #expect(try library.call("list", ["palette": "Sea"])["colors"]?[0]?["hex"] == "#ffffff")
  }

  @Test func tellsTheHistory() throws {
    try library.call("note", ["palette": "Sea", "color": "a", "text": "n"])
    try library.call("remove", ["palette": "Sea", "colors": ["b"]])
    let changes = try #require(
      try library.call("history", ["palette": "Sea"])["changes"]?.arrayValue
    )
    #expect(changes.map { $0["kind"] } == ["delete", "set", "add", "add", "add"])
    for change in changes {
      #expect(
        change.keys == [
          "dot", "stamp", "time", "node", "author", "kind", "id", "name", "registers",
        ]
      )
      #expect(change["author"]?.stringValue == OwnName.system)
      #expect(change["stamp"]?.stringValue?.count == 16)
      #expect(change["node"]?.stringValue?.count == 16)
      #expect(change["time"]?.stringValue?.utf8.count == 24)
    }
    #expect(changes[0]["registers"] == [:] && changes[1]["registers"] == ["note": "n"])
    #expect(changes[3]["registers"]?.keys == ["name", "color", "place"])
    #expect(changes[3]["registers"]?["color"] == "rgb(255, 0, 0)")
    #expect(changes[4]["registers"] == ["name": "Sea"])
    let node = try #require(changes[0]["node"]?.stringValue)
    #expect(changes.map { $0["dot"] } == (2...6).reversed().map { .string("\(node):\($0)") })
    let limited = try library.call("history", ["palette": "Sea", "limit": 2])
    #expect(limited["changes"] == .array(Array(changes.prefix(2))))
    #expect(try library.code("history", ["palette": "Sea", "limit": -1]) == "bad-value")
  }

  @Test(arguments: [(OwnName.system, true), (OwnName.system.uppercased(), true), ("Ann", false)])
  func tellsWhereAnotherLibraryTookAName(name: String, isTaken: Bool) throws {
    try library.editElsewhere([("a", .note, RegisterValue(text: "x"))], by: name)
    try library.receive()
    try library.call("note", ["palette": "Sea", "color": "b", "text": "y"])
    let changes = try #require(
      try library.call("history", ["palette": "Sea"])["changes"]?.arrayValue
    )
    #expect(changes.count == 5 && changes.compactMap { $0["author"]?.stringValue }.count == 5)
    let taken = changes.filter { $0["namesake"] == true }
    #expect(taken.count == (isTaken ? 1 : 0))
    #expect(
      taken.allSatisfy { $0["registers"] == ["note": "x"] && $0["author"]?.stringValue == name }
    )
    #expect(changes.count { $0["namesake"] != nil } == taken.count)
    let actions = try library.call("history", ["palette": "Sea", "actions": true])["actions"]
    #expect(actions?.arrayValue?.count { $0["namesake"] == true } == taken.count)
  }

  @Test func tellsTheHistoryPageByPage() throws {
    for number in 0..<5 {
      try library.call("rename", ["palette": "Sea", "color": "b", "name": JSON("b\(number)")])
      try library.call("rename", ["palette": "Sea", "color": JSON("b\(number)"), "name": "b"])
    }
    let whole = try library.call("history", ["palette": "Sea"])["changes"]?.arrayValue ?? []
    #expect(whole.count == 13)
    for size in [1, 4, 13] {
      var pages: [JSON] = []
      while true {
        var parameters: JSON = ["palette": "Sea", "limit": JSON(size)]
        if let last = pages.last?["dot"]?.stringValue {
          parameters = ["palette": "Sea", "limit": JSON(size), "before": JSON(last)]
        }
        let page = try library.call("history", parameters)["changes"]?.arrayValue ?? []
        if page.isEmpty { break }
        #expect(page.count <= size)
        pages += page
      }
      #expect(pages == whole)
    }
    let node = try #require(whole[0]["node"]?.stringValue)
    for (dot, code) in [
      ("\(node):15", "not-found"), ("00000000000000aa:1", "not-found"), ("\(node)", "bad-value"),
      ("\(node):0", "bad-value"),
    ] {
      let parameters: JSON = ["palette": "Sea", "before": JSON(dot)]
      #expect(try library.code("history", parameters) == code, "\(dot)")
    }
  }
}
