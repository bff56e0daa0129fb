import PaletteJSON
import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteCommands

struct ConflictCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime"])
    try library.editElsewhere([
      ("a", .color, RegisterValue(color: Color(.srgb, 1, 1, 1))),
      ("a", .name, RegisterValue(text: "weiß")),
      ("b", .place, RegisterValue(placeBytes: [1])),
    ])
    try library.call("set", ["palette": "Sea", "color": "a", "value": "hsl(120 50% 50%)"])
    try library.call("move", ["palette": "Sea", "color": "b", "at": 0])
    try library.receive()
  }

  private func resolve(_ color: String, _ register: String, _ value: String) -> JSON {
    [
      "palette": "Sea", "color": JSON(color), "register": JSON(register),
      "value": JSON(value),
    ]
  }

  @Test func showsBothValues() throws {
    let conflicts = try #require(try library.call("conflicts")["conflicts"]?.arrayValue)
    #expect(conflicts.count == 1)
    let conflict = conflicts[0]
    #expect(conflict.keys == ["palette", "id", "name", "register", "values"])
    #expect(conflict["register"] == "color")
    let values = try #require(conflict["values"]?.arrayValue)
    #expect(values.map { $0["shown"] } == [true, false])
    #expect(values.allSatisfy { $0.keys == ["value", "node", "author", "stamp", "shown"] })
    #expect(
      Set(values.compactMap { $0["value"]?.stringValue })
        == ["rgb(255, 255, 255)", "hsl(120 50% 50%)"]
    )
    #expect(values[0]["stamp"]?.stringValue ?? "" > values[1]["stamp"]?.stringValue ?? "")
    #expect(try library.call("conflicts", ["palette": "Sea"])["conflicts"]?.arrayValue == conflicts)
    let listed = try library.call("list", ["palette": "Sea"])["colors"]?.arrayValue ?? []
    #expect(listed.map { $0["conflicts"] } == [[], ["color"]])
    #expect(try library.call("status")["palettes"]?[0]?["conflicts"] == 1)
  }

  /// Whoever names no value gets them listed; the register is needed only where several are meant.
  @Test func listsTheValuesWhereNoneIsChosen() throws {
    let digest = try library.digest()
    for parameters in [
      ["palette": "Sea", "color": "weiß"],
      ["palette": "Sea", "color": "weiß", "register": "color"],
    ] as [JSON] {
      let error = #expect(throws: APIError.self) { try library.call("resolve", parameters) }
      #expect(error?.code == "bad-value")
      #expect(error?.message == "the color of 'weiß' has 2 values")
      #expect(error?.hint?.hasPrefix("name the one to keep: ") == true)
      #expect(error?.hint?.contains("'rgb(255, 255, 255)'") == true)
      #expect(error?.hint?.contains("'hsl(120 50% 50%)'") == true)
    }
    #expect(try library.digest() == digest)
    let chosen = try library.call(
      "resolve",
      ["palette": "Sea", "color": "weiß", "value": "#fff"]
    )
    #expect(chosen["conflicts"] == [])
  }

  @Test func listsTheValuesWhereTheChosenOneIsNone() throws {
    let error = #expect(throws: APIError.self) {
      try library.call("resolve", resolve("weiß", "color", "#fffffe"))
    }
    #expect(error?.hint == "they are 'hsl(120 50% 50%)', 'rgb(255, 255, 255)'")
  }

  @Test func aPaletteIsMeantByItsOwnName() throws {
    #expect(try library.code("resolve", resolve("Sea", "name", "Sea")) == "no-conflict")
  }

  @Test(arguments: ["#fff", "hsl(120deg 50% 50%)"])
  func keepsWhatIsChosen(_ value: String) throws {
    let digest = try library.digest()
    let record = try library.call("resolve", resolve("weiß", "color", value))
    #expect(record["conflicts"] == [])
    #expect(try library.call("conflicts") == ["conflicts": []])
    #expect(try library.digest() != digest)
    #expect(try Color(css: record["color"]?.stringValue ?? "") == Color(css: value))
  }

  @Test func settingTheShownValueDecides() throws {
    let shown = try #require(try library.call("conflicts")["conflicts"]?[0]?["values"]?[0])
    let value = JSON(try #require(shown["value"]?.stringValue))
    try library.call("set", ["palette": "Sea", "color": "weiß", "value": value])
    #expect(try library.call("conflicts") == ["conflicts": []])
  }

  @Test(
    arguments: [
      ("weiß", "color", "#fffffe", "bad-value"), ("weiß", "color", "nonsense", "bad-value"),
      ("weiß", "name", "weiß", "no-conflict"), ("b", "place", "01", "no-conflict"),
      ("b", "color", "lime", "no-conflict"), ("weiß", "colour", "#fff", "bad-value"),
      ("x", "color", "#fff", "not-found"),
    ]
  )
  func refuses(_ color: String, _ register: String, _ value: String, _ code: String) throws {
    let digest = try library.digest()
    #expect(try library.code("resolve", resolve(color, register, value)) == code)
    #expect(try library.digest() == digest)
  }
}
