import PaletteJSON
import PaletteModel
import Testing

@testable import PaletteCommands

/// Colors that are made from others, and what sorts and adds several.
struct ComputedColorTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["gold", "navy", "#777", "tomato", "white"])
  }

  private func hexes(_ method: String, _ parameters: JSON) throws -> [String] {
    try #require(try library.call(method, parameters)["colors"]?.arrayValue)
      .compactMap { $0["hex"]?.stringValue }
  }

  @Test func mixesAndRamps() throws {
    #expect(try hexes("mix", ["a": "red", "b": "blue", "in": "srgb"]) == ["#800080"])
    #expect(try hexes("mix", ["a": "red", "b": "blue", "in": "srgb", "at": 0]) == ["#ff0000"])
    let ramp = try hexes("ramp", ["a": "black", "b": "white", "count": 3, "in": "srgb"])
    #expect(ramp == ["#000000", "#808080", "#ffffff"])
    #expect(try hexes("ramp", ["a": "red", "b": "blue", "count": 1]) == ["#ff0000"])
    #expect(try library.code("ramp", ["a": "red", "b": "blue", "count": 0]) == "bad-value")
    #expect(try library.code("ramp", ["a": "red", "b": "blue", "count": 1001]) == "bad-value")
    #expect(try library.code("mix", ["a": "red", "b": "blue", "at": 101]) == "bad-value")
    #expect(try library.code("mix", ["a": "red", "b": "blue", "in": "cmyk"]) == "bad-value")
  }

  @Test func aRampGoesByWayOfMoreColors() throws {
    let ramp: JSON = ["a": "black", "b": "white", "more": ["black"], "in": "srgb", "count": 5]
    #expect(
      try hexes("ramp", ramp) == ["#000000", "#808080", "#ffffff", "#808080", "#000000"]
    )
    let few: JSON = ["a": "red", "b": "blue", "more": ["lime"], "count": 2]
    #expect(try hexes("ramp", few) == ["#ff0000", "#00ff00"])
  }

  @Test(arguments: [
    ("lighten", "black", "#030303"), ("darken", "white", "#dedede"),
  ])
  func lightness(_ method: String, _ value: String, _ hex: String) throws {
    #expect(try hexes(method, ["value": JSON(value), "points": 10]) == [hex])
    #expect(try hexes(method, ["value": JSON(value)]) == [hex], "10 is usual")
    #expect(try hexes(method, ["value": JSON(value), "points": 0]) == [try Color(value).hex])
    #expect(try library.code(method, ["value": JSON(value), "points": -1]) == "bad-value")
  }

  @Test func chromaAndHue() throws {
    #expect(try hexes("desaturate", ["value": "tomato", "percent": 100]).allSatisfy(isGrey))
    #expect(try hexes("saturate", ["value": "#777", "percent": 50]) == ["#777777"])
    #expect(
      try hexes("complement", ["value": "tomato"])
        == hexes("rotate", ["value": "tomato", "degrees": 180])
    )
    #expect(try hexes("rotate", ["value": "tomato", "degrees": -360]) == ["#ff6347"])
    #expect(try library.code("rotate", ["value": "tomato"]) == "bad-usage")
    #expect(try hexes("textcolor", ["value": "navy"]) == ["#ffffff"])
    #expect(try hexes("textcolor", ["value": "gold"]) == ["#000000"])
  }

  private func isGrey(_ hex: String) -> Bool {
    let digits = Array(hex.dropFirst())
    return digits[0..<2] == digits[2..<4] && digits[2..<4] == digits[4..<6]
  }

  @Test func colorsByChanceAndByName() throws {
    #expect(try hexes("random", [:]).count == 10)
    #expect(Set(try hexes("random", ["count": 100])).count > 90)
    #expect(try library.code("random", ["count": 1001]) == "bad-value")
    let names = try library.call("colors", [:])["colors"]?.arrayValue
    #expect(names?.count == 148 && names?.first?["name"] == "aliceblue")
  }

  @Test func factsOfSeveralColors() throws {
    let one = try library.call("color", ["value": "tomato"])
    #expect(one["hex"] == "#ff6347" && one["colors"] == nil)
    #expect(try library.call("color", ["value": ["tomato"]]) == one)
    let two = try library.call("color", ["value": ["tomato", "gold"]])["colors"]?.arrayValue
    #expect(two?.count == 2 && two?.first == one)
    #expect(try library.code("color", ["value": []]) == "bad-usage")
    #expect(try library.code("color", ["value": ["tomato", "tomate"]]) == "bad-color")
    #expect(try library.call("paint", ["value": "gold", "text": "Hi"])["text"] == "Hi")
  }

  @Test(arguments: [
    ("complementary", 2), ("triad", 3), ("tetrad", 4), ("analogous", 3), ("split", 3),
  ])
  func harmonizes(_ kind: String, _ count: Int) throws {
    let hexes = try hexes("harmony", ["value": "tomato", "kind": JSON(kind)])
    #expect(Set(hexes).count == count && hexes.contains("#ff6347"))
  }

  @Test func choosesDistinctColors() throws {
    let all = try hexes("distinct", ["count": 12])
    #expect(Set(all).count == 12)
    #expect(try hexes("distinct", ["count": 12]) == all)
    let chosen = try library.call("distinct", ["count": 2, "from": "Sea"])["colors"]
    let names = chosen?.arrayValue?.compactMap { $0["name"]?.stringValue }
    #expect(Set(names ?? []) == ["a", "b"])
    #expect(try hexes("distinct", ["count": 9, "from": "Sea"]).count == 5)
    #expect(try library.code("distinct", ["count": 101]) == "bad-value")
  }

  @Test func simulatesPalettesAndColors() throws {
    #expect(try hexes("simulate", ["subject": "Sea", "deficiency": "achroma"]).count == 5)
    let red = try hexes("simulate", ["subject": "#777", "deficiency": "deutan"])
    #expect(red == ["#777777"])
    #expect(
      try library.code("simulate", ["subject": "Lake", "deficiency": "deutan"]) == "not-found"
    )
    #expect(
      try library.code("simulate", ["subject": "#12", "deficiency": "deutan"]) == "bad-color"
    )
    #expect(try library.code("simulate", ["subject": "Sea", "deficiency": "x"]) == "bad-value")
  }

  @Test(arguments: [
    ("lightness", ["b", "c", "d", "a", "e"]), ("hue", ["c", "e", "d", "a", "b"]),
    ("name", ["a", "b", "c", "d", "e"]),
  ])
  func sortsAsOneAction(_ key: String, _ names: [String]) throws {
    try library.call("move", ["palette": "Sea", "color": "a", "at": 4])
    let before = try library.names()
    let answer = try library.call("sort", ["palette": "Sea", "by": JSON(key)])
    #expect(answer.keys == ["palette", "colors"])
    #expect(try library.names() == (key == "hue" ? ["c", "e", "d", "a", "b"] : names))
    try library.call("undo", ["palette": "Sea"])
    #expect(try library.names() == before)
  }

  @Test func sortsStably() throws {
    let twins = try TestLibrary(colors: ["red", "#111", "red", "#111", "red"])
    try twins.call("sort", ["palette": "Sea", "by": "lightness"])
    #expect(try twins.names() == ["b", "d", "a", "c", "e"])
    let digest = try twins.digest()
    try twins.call("sort", ["palette": "Sea", "by": "lightness"])
    #expect(try twins.digest() == digest)
    #expect(try twins.code("sort", ["palette": "Sea", "by": "size"]) == "bad-value")
  }

  @Test func addsSeveralAsOneAction() throws {
    let colors: JSON = [["value": "red", "name": "Rot"], ["value": "blue"]]
    let answer = try library.call(
      "add",
      ["palette": "Sea", "value": "-", "colors": colors, "before": "b"]
    )
    let records = try #require(answer["colors"]?.arrayValue)
    #expect(records.map { $0["index"]?.intValue } == [1, 2])
    #expect(try library.names() == ["a", "Rot", "#0000ff", "b", "c", "d", "e"])
    try library.call("undo", ["palette": "Sea"])
    #expect(try library.names() == ["a", "b", "c", "d", "e"])
    let bad: JSON = [["value": "red"], ["value": "blu"]]
    #expect(
      try library.code("add", ["palette": "Sea", "value": "-", "colors": bad]) == "bad-color"
    )
    #expect(try library.code("add", ["palette": "Sea", "value": "-", "colors": []]) == "bad-usage")
    #expect(try library.names() == ["a", "b", "c", "d", "e"])
  }

  @Test func addsSeveralWithTheirOwnIDsAndNotes() throws {
    let ids = [
      "0e37df36-f698-11e6-8dd4-cb9ced3df976", "1e37df36-f698-11e6-8dd4-cb9ced3df976",
    ]
    func add(_ ids: [String]) -> JSON {
      let colors = ids.map { ["value": "red", "id": JSON($0), "note": "warm"] as JSON }
      return ["palette": "Sea", "value": "-", "colors": .array(colors), "at": 0]
    }
    let answer = try library.call("add", add(ids))
    let records = try #require(answer["colors"]?.arrayValue)
    #expect(records.map { $0["id"].stringValue } == ids)
    #expect(records.map { $0["note"].stringValue } == ["warm", "warm"])
    let before = try library.digest()
    // Known in the palette, and twice in one list.
    #expect(try library.code("add", add([ids[0]])) == "bad-value")
    let twin = "2e37df36-f698-11e6-8dd4-cb9ced3df976"
    #expect(try library.code("add", add([twin, twin])) == "bad-value")
    #expect(try library.code("add", add(["none"])) == "bad-value")
    #expect(try library.digest() == before)
  }

  @Test func readsLines() throws {
    let lines = try ColorLines(Array("red\tRot\r\n\n  #00f  \n".utf8)).entries
    #expect(lines.map(\.value) == ["red", "#00f"])
    #expect(lines.map(\.name) == ["Rot", nil])
    // A mark of the byte order is no part of the first color, and a name may hold a line separator.
    let other = try ColorLines(Array("\u{FEFF}red\ta\u{2028}b\r#00f\tc\u{0B}d".utf8)).entries
    #expect(other.map(\.value) == ["red", "#00f"])
    #expect(other.map(\.name) == ["a\u{2028}b", "c\u{0B}d"])
    let error = try #require(throws: APIError.self) {
      try ColorLines(Array("red\n\nblu\n".utf8))
    }
    #expect(error.code == "bad-color" && error.message.hasPrefix("line 3: "))
    #expect(error.hint == "did you mean 'blue'?")
    #expect(throws: APIError.self) { try ColorLines(Array("\n \n".utf8)) }
    #expect(throws: APIError.self) { try ColorLines([0xFF, 0x0A]) }
  }
}
