import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

/// What was done in a palette, told as actions, and palettes that become what they were.
struct ActionCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["gold", "tomato"])
  }

  private func actions(_ parameters: JSON = [:]) throws -> [JSON] {
    var members = parameters.objectValue?.members ?? []
    members += [.init("palette", "Sea"), .init("actions", true)]
    let answer = try library.call("history", .object(JSONObject(members)))
    return try #require(answer["actions"]?.arrayValue)
  }

  private func newest() throws -> (kind: String?, summary: String?) {
    let action = try actions(["limit": 1]).first
    return (action?["kind"]?.stringValue, action?["summary"]?.stringValue)
  }

  private static let edits:
    [(method: String, parameters: [(key: String, value: JSON)], kind: String, summary: String)] = [
      ("add", [("value", "blue")], "add", "added #0000ff"),
      ("add", [("value", "blue"), ("name", "Deep Sea")], "add", "added 'Deep Sea'"),
      ("set", [("color", "a"), ("value", "blue")], "recolor", "recolored a to #0000ff"),
      ("tweak", [("color", "a"), ("direction", "darker")], "recolor", "recolored a to #ccac00"),
      ("rename", [("color", "a"), ("name", "z")], "rename", "renamed a to z"),
      (
        "rename", [("color", "a"), ("name", "b', removed 'c")], "rename",
        "renamed a to 'b’, removed ’c'"
      ),
      ("note", [("color", "a"), ("text", "n")], "note", "wrote a note to a"),
      ("move", [("color", "a"), ("at", 1)], "move", "moved a"),
      ("remove", [("colors", ["a"])], "delete", "removed a"),
      ("remove", [("colors", ["a", "b"])], "delete", "removed 2 colors"),
      ("sort", [("by", "lightness")], "sort", "sorted by lightness: moved 1 color"),
      ("title", [("name", "Sea")], "title", "renamed the palette Lake to Sea"),
    ]

  @Test(arguments: ActionCommandTests.edits)
  func isNamedByWhatItWas(
    _ method: String,
    _ parameters: [(key: String, value: JSON)],
    _ kind: String,
    _ summary: String
  ) throws {
    if method == "title" { try library.call("title", ["palette": "Sea", "name": "Lake"]) }
    let palette: JSON = method == "title" ? "Lake" : "Sea"
    try library.call(method, JSON([("palette", palette)] + parameters))
    #expect(try newest() == (kind, summary))
    let before = try actions()
    try library.call("undo", ["palette": "Sea"])
    let undone = try actions()
    // The name of a palette is on no undo stack.
    guard method != "title" else { return }
    #expect(try newest() == ("undo", "undid “\(summary)”"))
    #expect(undone[1]["undone"] == true && undone[1]["summary"] == before[0]["summary"])
    try library.call("redo", ["palette": "Sea"])
    #expect(try newest() == ("redo", "made again “\(summary)”"))
    #expect(try actions()[2]["undone"] == false)
  }

  @Test func hasTheKeysOfTheContract() throws {
    let action = try #require(try actions(["limit": 1]).first)
    #expect(
      action.keys == [
        "action", "time", "author", "node", "kind", "count", "summary", "undone", "colors",
      ]
    )
    #expect(action["count"] == 1 && action["undone"] == false)
    #expect(action["colors"]?[0]?.keys == ["id", "name", "hex"])
    let id = try #require(action["action"]?.stringValue)
    #expect(id.hasSuffix(":\(action["node"]?.stringValue ?? "")") && id.utf8.count == 33)
    let changes = try library.call("history", ["palette": "Sea"])
    #expect(changes.keys == ["changes", "since"], "changes stay what they were")
  }

  @Test func severalColorsAreOneAction() throws {
    let colors = JSON.array((0..<12).map { ["value": JSON("rgb(\($0) 0 0)")] })
    try library.call("add", ["palette": "Sea", "value": "-", "colors": colors])
    let action = try #require(try actions(["limit": 1]).first)
    #expect(action["summary"] == "added 12 colors" && action["count"] == 12)
    #expect(action["colors"]?.arrayValue?.count == 10)
    #expect(action["colors"]?[0]?["hex"] == "#000000")
    #expect(try library.call("undo", ["palette": "Sea"])["summary"] == "added 12 colors")
  }

  @Test func anImportNamesItsFile() throws {
    let bytes = JSON(base64: Array("ff0000\n00ff00\n0000ff\n".utf8))
    for name in ["dir/new.hex", "dir/new.hex"] {
      try library.call(
        "import",
        ["files": [["file": JSON(name), "bytes": bytes]], "palette": "New"]
      )
    }
    let answer = try library.call("history", ["palette": "New", "actions": true])
    let actions = try #require(answer["actions"]?.arrayValue)
    #expect(actions.map { $0["summary"] } == ["imported new.hex: added 3 colors"])
    #expect(actions[0]["kind"] == "import" && actions[0]["count"] == 3)
  }

  @Test func pagesByActions() throws {
    for name in ["c", "d", "e"] {
      try library.call("add", ["palette": "Sea", "value": "red", "name": JSON(name)])
    }
    let whole = try actions()
    #expect(whole.count == 6)
    let second = try #require(whole[1]["action"])
    #expect(try actions(["before": second, "limit": 2]) == Array(whole[2...3]))
    let strange = JSON("0000000000000001:00000000000000aa")
    for (before, code) in [
      (strange, "not-found"), ("x", "bad-value"), ("00000000000000aa:1", "bad-value"),
    ] {
      let parameters: JSON = ["palette": "Sea", "actions": true, "before": before]
      #expect(try library.code("history", parameters) == code)
      #expect(try library.code("revert", ["palette": "Sea", "to": strange]) == "not-found")
    }
  }

  /// Whatever an author says beside its changes, what is told is what they did.
  @Test func aLyingAuthorIsNotBelieved() throws {
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    let palette = try #require(try store.palettes().first).id
    let first = try #require(try store.actions(of: palette).last).id
    let record = try #require(try store.names(of: palette).first { $0.name == "a" }).id
    for claim in [
      ActionClaim.sort(.hue), .undo(first.stamp, nil), .redo(first.stamp, first.node),
      .undo(Stamp(rawValue: 5), NodeID(5)),
    ] {
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        let name = RegisterValue(text: "a\(claim)".filter(\.isLetter))
        try writer.act([.set(record, [.name: name])], as: claim)
      }
    }
    let kinds = try store.actions(of: palette, limit: 4).map { tally in
      var words = ActionWords(store, try #require(try store.summary(of: palette)))
      try words.read(subjectsOf: [tally])
      return try words.account(of: tally)
    }
    #expect(kinds.map(\.kind) == [.rename, .rename, .rename, .rename])
    #expect(kinds.allSatisfy { $0.summary.hasPrefix("renamed ") })
  }

  private func list() throws -> JSON? {
    try library.call("list", ["palette": "Sea"])["colors"]?.withoutSeen
  }

  @Test func revertsToAnAction() throws {
    try library.call("note", ["palette": "Sea", "color": "a", "text": "n"])
    let (then, id) = (try list(), try #require(try actions(["limit": 1]).first?["action"]))
    try library.call("rename", ["palette": "Sea", "color": "a", "name": "z"])
    try library.call("note", ["palette": "Sea", "color": "z", "text": ""])
    try library.call("remove", ["palette": "Sea", "colors": ["b"]])
    try library.call("add", ["palette": "Sea", "value": "blue", "name": "c", "at": 0])
    try library.call("move", ["palette": "Sea", "color": "z", "at": 0])
    try library.call("title", ["palette": "Sea", "name": "Lake"])
    try library.call("title", ["palette": "Lake", "name": "Sea"])
    let now = try list()
    let answer = try library.call("revert", ["palette": "Sea", "to": id])
    #expect(try list() == then)
    #expect(
      answer.keys == ["changed", "skipped", "forgotten", "action", "summary", "canUndo", "canRedo"]
    )
    #expect(answer["changed"]?.arrayValue?.count == 3)
    #expect(try newest().kind == "revert")
    #expect(try newest().summary?.hasPrefix("reverted to 2") == true)
    try library.call("undo", ["palette": "Sea"])
    #expect(try list() == now, "one undo takes all of it back")
    try library.call("redo", ["palette": "Sea"])
    #expect(try list() == then)
    let digest = try library.digest()
    #expect(try library.call("revert", ["palette": "Sea", "to": id])["changed"] == [])
    #expect(try library.digest() == digest, "what changes nothing writes nothing")
  }

  @Test func refusesATimeBeforeWhatIsKnown() throws {
    for (to, code) in [("1970-01-02", "bad-time"), ("yesterday-ish", "bad-time")] {
      #expect(try library.code("revert", ["palette": "Sea", "to": JSON(to)]) == code)
    }
    #expect(try library.code("revert", ["palette": "Nope", "to": "1 minute ago"]) == "not-found")
    for (old, new) in [("a", "y"), ("y", "z")] {
      try library.call("rename", ["palette": "Sea", "color": JSON(old), "name": JSON(new)])
    }
    try library.call("compact", ["before": "2200-01-01"])
    #expect(try library.code("revert", ["palette": "Sea", "to": "1 minute ago"]) == "no-history")
  }
}
