import PaletteJSON
import Testing

@testable import PaletteCommands

struct OrderCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime", "blue"])
  }

  private func add(_ others: [(key: String, value: JSON)]) throws -> JSON {
    try library.call("add", JSON([("palette", "Sea"), ("value", "#08f")] + others))
  }

  private func move(_ color: String, _ key: String, _ value: JSON) throws -> JSON {
    try library.call(
      "move",
      JSON([("palette", "Sea"), ("color", JSON(color)), (key, value)])
    )
  }

  @Test func listsInOrder() throws {
    let list = try library.call("list", ["palette": "Sea"])
    #expect(list.keys == ["palette", "colors"])
    #expect(list["palette"]?.keys == ["id", "name", "count", "digest"])
    #expect(list["palette"]?["count"] == 3)
    let colors = try #require(list["colors"]?.arrayValue)
    #expect(colors.map { $0["index"] } == [0, 1, 2])
    #expect(colors.map { $0["hex"] } == ["#ff0000", "#00ff00", "#0000ff"])
    #expect(colors[0].keys == ["id", "name", "color", "hex", "index", "note", "conflicts", "seen"])
  }

  @Test(
    arguments: [
      ([], 3, "abc*"),
      ([("at", 0)], 0, "*abc"),
      ([("at", 2)], 2, "ab*c"),
      ([("at", 3)], 3, "abc*"),
      ([("before", "a")], 0, "*abc"),
      ([("before", "c")], 2, "ab*c"),
      ([("after", "a")], 1, "a*bc"),
      ([("after", "c")], 3, "abc*"),
    ] as [([(String, JSON)], Int, String)]
  )
  func addsWhereItIsToldTo(_ others: [(String, JSON)], _ index: Int, _ order: String) throws {
    let record = try add(others.map { (key: $0.0, value: $0.1) })
    #expect(record["name"] == "#0088ff" && record["index"] == .integer(Int64(index)))
    #expect(try library.names().map { $0 == "#0088ff" ? "*" : $0 }.joined() == order)
  }

  @Test func appendsInOrder() throws {
    for index in 3..<40 {
      #expect(try add([("name", JSON("n\(index)"))])["index"] == .integer(Int64(index)))
    }
    #expect(try library.names().count == 40)
    #expect(try library.names().last == "n39")
  }

  @Test(
    arguments: [
      ("a", "at", 2, "bca"), ("a", "at", 0, "abc"), ("c", "at", 0, "cab"), ("b", "at", 2, "acb"),
      ("a", "before", "c", "bac"), ("c", "before", "a", "cab"), ("a", "after", "c", "bca"),
      ("c", "after", "a", "acb"), ("b", "after", "b", "abc"), ("b", "before", "b", "abc"),
      ("b", "after", "a", "abc"),
    ] as [(String, String, JSON, String)]
  )
  func moves(_ color: String, _ key: String, _ value: JSON, _ order: String) throws {
    let digest = try library.digest()
    let record = try move(color, key, value)
    let names = try library.names()
    #expect(names.joined() == order)
    #expect(record["index"]?.integerValue == names.firstIndex(of: color).map { Int64($0) })
    #expect((try library.digest() == digest) == (order == "abc"))
  }

  @Test(
    arguments: [
      ("add", [("at", -1)], "bad-position"), ("add", [("at", 4)], "bad-position"),
      ("add", [("at", "1")], "bad-position"), ("add", [("at", 0.5)], "bad-position"),
      ("add", [("at", 0), ("before", "a")], "bad-usage"),
      ("add", [("before", "x")], "not-found"), ("add", [("name", "")], "bad-name"),
      ("move", [("color", "a"), ("at", 3)], "bad-position"),
      ("move", [("color", "a"), ("at", -1)], "bad-position"),
      ("move", [("color", "a"), ("after", "x")], "not-found"),
      ("move", [("color", "x"), ("at", 0)], "not-found"),
      ("move", [("color", "a")], "bad-usage"),
      ("remove", [("colors", [])], "bad-usage"),
      ("remove", [("colors", ["a", "x"])], "not-found"),
      ("restore", [("color", "a")], "not-removed"),
      ("restore", [("color", "x")], "not-found"),
      ("list", [("at", "soon")], "bad-time"),
    ] as [(String, [(String, JSON)], String)]
  )
  func refuses(_ method: String, _ others: [(String, JSON)], _ code: String) throws {
    let digest = try library.digest()
    let members: [(key: String, value: JSON)] =
      [("palette", "Sea"), ("value", "red")] + others.map { (key: $0.0, value: $0.1) }
    #expect(try library.code(method, JSON(members)) == code)
    #expect(try library.digest() == digest)
  }

  @Test func removesAndRestoresInPlace() throws {
    let ids = [JSON.string(try library.id("b")), .string(try library.id("a"))]
    let removed = try library.call("remove", ["palette": "Sea", "colors": ["b", "a", "b"]])
    #expect(removed == ["removed": .array(ids)])
    #expect(try library.names() == ["c"])
    #expect(try library.code("restore", ["palette": "Sea", "color": "c"]) == "not-removed")
    let restored = try library.call("restore", ["palette": "Sea", "color": "b"])
    #expect(restored["id"] == ids[0] && restored["index"] == 0)
    try library.call("restore", ["palette": "Sea", "color": "a"])
    #expect(try library.names() == ["a", "b", "c"])
  }

  @Test func looksAmongRemovedColorsOnly() throws {
    let id = try library.id("a")
    try library.call("remove", ["palette": "Sea", "colors": ["a"]])
    try library.call("add", ["palette": "Sea", "value": "black", "name": "a"])
    let restored = try library.call("restore", ["palette": "Sea", "color": "a"])
    #expect(restored["id"]?.stringValue == id)
    #expect(try library.code("restore", ["palette": "Sea", "color": "a"]) == "not-removed")
  }

  @Test func listsThePast() throws {
    let before = try library.call("list", ["palette": "Sea", "at": "1 hour ago"])
    #expect(before["colors"] == [] && before["palette"]?["count"] == 0)
    let now = try library.call("list", ["palette": "Sea"])
    #expect(try library.call("list", ["palette": "Sea", "at": "2999-01-01"]) == now)
  }
}
