import PaletteJSON
import Testing

@testable import PaletteCommands

struct ColorRecordCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime"])
  }

  @Test func setsColors() throws {
    let record = try library.call(
      "set",
      ["palette": "Sea", "color": "b", "value": "oklch(70% 0.1 40)"]
    )
    #expect(record.keys == ["id", "name", "color", "hex", "index", "note", "conflicts", "seen"])
    #expect(record["color"] == "oklch(0.7 0.1 40)" && record["hex"] == "#d4896e")
    #expect(record["index"] == 1 && record["name"] == "b" && record["note"] == "")
    #expect(record["conflicts"] == [])
  }

  @Test func addsWithANote() throws {
    let note = "for links\nand buttons"
    let parameters: JSON = ["palette": "Sea", "value": "teal", "note": JSON(note), "at": 0]
    let added = try library.call("add", parameters)
    #expect(added["note"]?.stringValue == note && added["index"] == 0)
    #expect(try library.call("list", ["palette": "Sea"])["colors"]?[0]?["note"] == added["note"])
    // One change, and so one undo.
    let newest = try library.call("history", ["palette": "Sea", "limit": 1])["changes"]?[0]
    #expect(newest?["registers"]?["note"] == added["note"] && newest?["kind"] == "add")
    let long = JSON(String(repeating: "n", count: 1_025))
    #expect(
      try library.code("add", ["palette": "Sea", "value": "teal", "note": long]) == "bad-value"
    )
    #expect(try library.names() == ["#008080", "a", "b"])
  }

  @Test func renamesAndNotes() throws {
    let id = try library.id("a")
    let renamed = try library.call(
      "rename",
      ["palette": "Sea", "color": JSON(String(id.prefix(6))), "name": " Rot "]
    )
    #expect(renamed["name"] == "Rot" && renamed["id"]?.stringValue == id)
    let noted = try library.call("note", ["palette": "Sea", "color": "Rot", "text": "1\n2"])
    #expect(noted["note"] == "1\n2")
    #expect(try library.call("note", ["palette": "Sea", "color": "Rot", "text": ""])["note"] == "")
  }

  @Test(
    arguments: [
      ("set", ["palette": "Sea", "color": "a", "value": "#ff0000"]),
      ("rename", ["palette": "Sea", "color": "a", "name": "a "]),
      ("note", ["palette": "Sea", "color": "a", "text": ""]),
      ("tweak", ["palette": "Sea", "color": "a", "direction": "darker", "percent": 0]),
    ] as [(String, JSON)]
  )
  func writesNothingThatChangesNothing(_ method: String, _ parameters: JSON) throws {
    let digest = try library.digest()
    try library.call(method, parameters)
    #expect(try library.digest() == digest)
  }

  @Test func tweaks() throws {
    let arguments: JSON = ["palette": "Sea", "color": "a", "direction": "lighter"]
    #expect(try library.call("tweak", arguments)["color"] == "hsl(0 100% 60%)")
    let darker: JSON = [
      "palette": "Sea", "color": "a", "direction": "darker", "percent": 200,
    ]
    #expect(try library.call("tweak", darker)["hex"] == "#000000")
    let back: JSON = ["palette": "Sea", "color": "a", "direction": "lighter", "percent": 50]
    #expect(try library.call("tweak", back)["hex"] == "#ff0000")
  }

  @Test(
    arguments: [
      ("set", ["palette": "Sea", "color": "a", "value": "calc(1)"], "bad-color"),
      ("set", ["palette": "Sea", "color": "x", "value": "red"], "not-found"),
      ("set", ["palette": "Sky", "color": "a", "value": "red"], "not-found"),
      ("rename", ["palette": "Sea", "color": "a", "name": ""], "bad-name"),
      ("rename", ["palette": "Sea", "color": "a"], "bad-usage"),
      ("note", ["palette": "Sea", "color": "a", "text": "\u{1B}["], "bad-value"),
      ("tweak", ["palette": "Sea", "color": "a", "direction": "up"], "bad-usage"),
      (
        "tweak", ["palette": "Sea", "color": "a", "direction": "darker", "percent": -1], "bad-value"
      ),
      (
        "tweak", ["palette": "Sea", "color": "a", "direction": "darker", "percent": "x"],
        "bad-value"
      ),
    ] as [(String, JSON, String)]
  )
  func refuses(_ method: String, _ parameters: JSON, _ code: String) throws {
    let digest = try library.digest()
    #expect(try library.code(method, parameters) == code)
    #expect(try library.digest() == digest)
  }

  @Test func aSecondColorOfTheSameNameMakesItAmbiguous() throws {
    try library.call("add", ["palette": "Sea", "value": "blue", "name": "a"])
    #expect(
      try library.code("set", ["palette": "Sea", "color": "a", "value": "red"]) == "ambiguous"
    )
  }

  @Test(arguments: ["ff6347", "FF6347", "ff6347ff"])
  func hexDigitsNeedNoHashWhereTheyAreTheValue(digits: String) throws {
    let library = try TestLibrary(colors: [])
    let added = try library.call("add", ["palette": "Sea", "value": JSON(digits)])
    #expect(added["hex"] == "#ff6347")
  }

  @Test(arguments: ["ff634", "ff6347f", "f63", "gg6347"])
  func fewerDigitsAreNoColor(digits: String) throws {
    let library = try TestLibrary(colors: [])
    #expect(try library.code("add", ["palette": "Sea", "value": JSON(digits)]) == "bad-color")
  }

  @Test func swappedArgumentsAreNoticed() throws {
    let library = try TestLibrary(colors: ["red"])
    func hint(_ method: String, _ parameters: JSON) throws -> String? {
      try #require(throws: APIError.self) { try library.call(method, parameters) }.hint
    }
    #expect(
      try hint("add", ["palette": "red", "value": "Sea"]) == "did you mean 'hued add Sea red'?"
    )
    #expect(
      try hint("set", ["palette": "Sea", "color": "tomato", "value": "a"])
        == "did you mean 'hued set Sea a tomato'?"
    )
    #expect(
      try hint("add", ["palette": "Sea", "value": "Deep sea", "name": "#003366"])
        == "did you mean 'hued add Sea \"#003366\" \"Deep sea\"'?"
    )
    let strange = try hint("add", ["palette": "Sea", "value": "$HOME", "name": "red"])
    #expect(strange?.contains("hued add") == false)
    let plain = try hint("add", ["palette": "Sea", "value": "Seo"])
    #expect(plain?.contains("hued add") == false)
  }
}
