import PaletteJSON
import PaletteModel
import Testing

@testable import PaletteCommands

struct ColorCommandTests {
  private let library = FolderAccess(
    location: LibraryLocation(home: "/nowhere", configurationFile: "/nowhere/config.json")
  )

  private func call(_ method: String, _ parameters: JSON) throws -> JSON {
    try library.call(Request(method: method, parameters: parameters)).json
  }

  @Test func tellsAColor() throws {
    let answer = try call("color", ["value": "coral"])
    #expect(
      answer.objectValue?.members.map(\.key)
        == ["color", "hex", "name", "rgb", "hsb", "hsl", "oklch", "alpha", "inGamut"]
    )
    #expect(answer["color"] == "rgb(255, 127, 80)")
    #expect(answer["hex"] == "#ff7f50")
    #expect(answer["name"] == "coral")
    #expect(answer["rgb"] == [255, 127, 80])
    #expect(answer["alpha"] == 1)
    #expect(answer["inGamut"] == true)
    let expected: [(String, [Double])] = [
      ("hsb", [16.114_285_714, 68.627_450_98, 100]),
      ("hsl", [16.114_285_714, 100, 65.686_274_51]),
      ("oklch", [0.735_113, 0.167_994, 40.246_67]),
    ]
    for (key, numbers) in expected {
      let found = answer[key]?.arrayValue?.compactMap(\.numberValue) ?? []
      #expect(found.count == 3)
      for (left, right) in zip(found, numbers) { #expect(abs(left - right) < 1e-4, "\(key)") }
    }
  }

  @Test func saysNullForWhatMeansNothing() throws {
    let grey = try call("color", ["value": "rgb(128 128 128 / none)"])
    #expect(grey["hsb"]?[0] == .null && grey["hsl"]?[0] == .null && grey["oklch"]?[2] == .null)
    #expect(grey["hsb"]?[1] == 0)
    #expect(grey["alpha"] == .null)
    #expect(grey["rgb"] == [128, 128, 128])
    let none = try call("convert", ["value": "lab(none 10 10)", "to": "lab"])
    #expect(none["components"]?[0] == .null)
  }

  @Test func mapsWhatNoScreenShows() throws {
    let answer = try call("color", ["value": "color(display-p3 0 1 0)"])
    #expect(answer["inGamut"] == false)
    #expect(answer["color"] == "color(display-p3 0 1 0)")
    let rgb = answer["rgb"]?.arrayValue?.compactMap(\.numberValue) ?? []
    #expect(rgb.count == 3 && rgb.allSatisfy { (0...255).contains($0) })
    #expect(try #require(answer["oklch"]?[1]?.numberValue) > 0.3)
  }

  @Test func keepsAlpha() throws {
    let answer = try call("color", ["value": "#ff7f5080"])
    #expect(answer["hex"] == "#ff7f5080")
    #expect(abs(try #require(answer["alpha"]?.numberValue) - 128.0 / 255) < 1e-9)
  }

  @Test func converts() throws {
    let answer = try call("convert", ["value": "white", "to": "OKLCH"])
    #expect(
      answer.objectValue?.members.map(\.key) == ["color", "space", "components", "alpha", "hex"]
    )
    #expect(answer["space"] == "oklch" && answer["hex"] == "#ffffff" && answer["alpha"] == 1)
    #expect(answer["components"] == [1, 0, nil])
    let linear = try call("convert", ["value": "#808080", "to": "srgb-linear"])
    #expect(abs(try #require(linear["components"]?[0]?.numberValue) - 0.215_860_5) < 1e-6)
    #expect(try call("convert", ["value": "red", "to": "xyz"])["space"] == "xyz-d65")
  }

  @Test(arguments: ["hsl(none 50% 50%)", "oklch(0.6 0.2 none)", "lab(none 10 10)"])
  func convertsToTheSameColor(source: String) throws {
    for space in ["oklch", "hsl", "srgb", "lab", "display-p3"] {
      let answer = try call("convert", ["value": JSON(source), "to": JSON(space)])
      #expect(try Color(css: answer["color"]?.stringValue ?? "").hex == answer["hex"]?.stringValue)
    }
  }

  @Test(arguments: ["white", "red", "color(display-p3 1 1 1)", "color(rec2020 0 1 0)", "#123456"])
  func printsNoNoise(source: String) throws {
    for space in ["srgb", "lab", "oklab", "xyz-d50", "srgb-linear", "prophoto-rgb", "hwb"] {
      let answer = try call("convert", ["value": JSON(source), "to": JSON(space)])
      let text = try #require(answer["color"]?.stringValue)
      for number in text.split(whereSeparator: { !"-.0123456789".contains($0) }) {
        #expect((number.split(separator: ".").dropFirst().first ?? "").count <= 12, "\(text)")
        #expect(number != "-0", "\(text)")
      }
    }
  }

  @Test func keepsColorsOutsideTheGamutUnclamped() throws {
    let answer = try call("convert", ["value": "color(display-p3 0 1 0)", "to": "srgb"])
    #expect(try #require(answer["components"]?[0]?.numberValue) < -0.5)
  }

  @Test func contrasts() throws {
    let answer = try call("contrast", ["a": "black", "b": "white"])
    #expect(
      answer == [
        "ratio": 21, "aa": ["normal": true, "large": true], "aaa": ["normal": true, "large": true],
      ]
    )
    let grey = try call("contrast", ["a": "#777", "b": "white"])
    #expect(abs(try #require(grey["ratio"]?.numberValue) - 4.478_1) < 1e-3)
    #expect(grey["aa"] == ["normal": false, "large": true])
    #expect(grey["aaa"] == ["normal": false, "large": false])
  }

  @Test func names() throws {
    #expect(
      try call("name", ["value": "#ff6347"]) == ["name": "tomato", "hex": "#ff6347", "deltaE": 0]
    )
    let near = try call("name", ["value": "#ff6450"])
    #expect(near["name"] == "tomato" && near["hex"] == "#ff6347")
    #expect((0.1...5).contains(try #require(near["deltaE"]?.numberValue)))
  }

  @Test func listsFormats() throws {
    #expect(try call("formats", [:])["formats"]?.arrayValue?.count == 32)
  }

  @Test(
    arguments: [
      ("color", ["value": "nope"], "bad-color"),
      ("color", ["value": "calc(1)"], "bad-color"),
      ("color", [:], "bad-usage"),
      ("color", ["value": 7], "bad-usage"),
      ("convert", ["value": "red", "to": "cmyk"], "bad-value"),
      ("convert", ["value": "red"], "bad-usage"),
      ("contrast", ["a": "red"], "bad-usage"),
      ("fly", [:], "bad-usage"),
    ] as [(String, JSON, String)]
  )
  func refuses(_ method: String, _ parameters: JSON, _ code: String) throws {
    let error = try #require(throws: APIError.self) { try call(method, parameters) }
    #expect(error.code == code)
  }

  @Test func guessesTheSpace() throws {
    let error = try #require(throws: APIError.self) {
      try call("convert", ["value": "red", "to": "rgb"])
    }
    #expect(error.hint == "did you mean 'srgb'?")
  }
}
