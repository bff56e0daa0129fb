import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats
@testable import PaletteJSON

/// What other programs export, in files of our own: lists, one-liners, rules, and XML with other words.
struct OtherProgramsTests {
  private func read(_ text: String, _ name: String) throws -> (format: String, FileContents) {
    let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: name)
    return (format.name, contents)
  }

  private func check(
    _ text: String,
    _ name: String,
    is format: String,
    _ colors: [String],
    _ names: [String?]? = nil
  ) throws {
    let (found, contents) = try read(text, name)
    #expect(found == format && contents.entries.map(\.color.hex) == colors)
    if let names { #expect(contents.entries.map(\.name) == names) }
    #expect(contents.skipped.isEmpty)
  }

  @Test(
    arguments: [
      "$sea: (#001122, #334455 , rgb(1, 2, 3));", "$sea: #001122, #334455, rgb(1, 2, 3) !default;",
      "$sea: (#001122 #334455\n  rgb(1 2 3));\n$gap: (1px, 2px);",
      "$sea: #001122 #334455 rgb(1 2 3);",
      "@sea: #001122, #334455, rgb(1, 2, 3);\n@sea-0: extract(@sea, 1);",
    ]
  )
  func listsOfSassAndLessAreNumbered(_ text: String) throws {
    let kind = text.hasPrefix("$") ? "scss" : "less"
    let names = ["sea/1", "sea/2", "sea/3"]
    try check(text, "a.\(kind)", is: kind, ["#001122", "#334455", "#010203"], names)
  }

  @Test func aListInAMapBelongsToItsKey() throws {
    let text = "$all: (\n  \"sea\": (#001122, #334455),\n  \"land\": #667788,\n);\n"
    let names = ["all/sea/1", "all/sea/2", "all/land"]
    try check(text, "a.scss", is: "scss", ["#001122", "#334455", "#667788"], names)
  }

  @Test func aColorOfAListIsChangedInItsPlace() throws {
    let text = Array("// mine\n$sea: #001122, #334455; // keep\n".utf8)
    let format = StylesheetFormat.scss
    let entries = try format.read(text).entries
    var colors = entries.enumerated().map { Samples.named(UInt64($0), $1.name ?? "", $1.color) }
    colors[1].color = Color(red8: 255, green8: 0, blue8: 0)
    let patched = try format.patched(text, ids: colors.map(\.id), to: Samples.sheet(colors))
    #expect(
      String(decoding: patched, as: UTF8.self) == "// mine\n$sea: #001122, #ff0000; // keep\n"
    )
  }

  @Test func sassAndLessGiveAColorItsOpacity() throws {
    let text = "$a: #336699;\n$b: rgba(#336699, 0.5);\n$c: rgba($a, 25%);\n"
    try check(text, "a.scss", is: "scss", ["#336699", "#33669980", "#33669940"], ["a", "b", "c"])
    let less = text.replacing("$", with: "@")
    try check(less, "a.less", is: "less", ["#336699", "#33669980", "#33669940"])
  }

  @Test(arguments: [
    "264653,2a9d8f,e9c46a", "#264653, #2a9d8f, #e9c46a\n", "#264653 #2a9d8f\n#e9c46a",
  ])
  func listsOfDigitsMayShareALine(_ text: String) throws {
    for name in ["a.hex", "a.txt", "a.csv", "a"] {
      try check(text, name, is: "hex", ["#264653", "#2a9d8f", "#e9c46a"])
    }
  }

  @Test func aColorOfALineIsChangedInItsPlace() throws {
    let text = Array("#264653, #2a9d8f, #e9c46a\n".utf8)
    let entries = try HexFormat().read(text).entries
    var colors = entries.enumerated().map { Samples.named(UInt64($0), "", $1.color) }
    colors[1].color = Color(red8: 255, green8: 0, blue8: 0)
    let patched = try HexFormat().patched(text, ids: colors.map(\.id), to: Samples.sheet(colors))
    #expect(String(decoding: patched, as: UTF8.self) == "#264653, #ff0000, #e9c46a\n")
  }

  @Test func rulesWithNothingButAColorAreAPalette() throws {
    let gimp =
      "/* Generated with GIMP Palette Export */\n.Sea { color: rgb(0, 17, 34) }\n.sand-2 { color: rgb(51, 68, 85) }\n"
    try check(gimp, "a.css", is: "css", ["#001122", "#334455"], ["Sea", "sand-2"])
    let other = ".sea{background-color:#001122;}.sand{background-color:#334455}"
    try check(other, "a.css", is: "css", ["#001122", "#334455"], ["sea", "sand"])
    // An ordinary stylesheet is none.
    for text in [".a { color: #001122; margin: 0 }", ".a { color: #001122 }\nbody { color: red }"] {
      #expect(try !read(text, "a.css").1.isPalette)
    }
  }

  @Test func aRuleIsChangedInItsPlace() throws {
    let text = Array(".Sea { color: rgb(0, 17, 34) }\n.Sand { color: #334455; }\n".utf8)
    let format = StylesheetFormat.css
    let entries = try format.read(text).entries
    var colors = entries.enumerated().map { Samples.named(UInt64($0), $1.name ?? "", $1.color) }
    colors[0].color = Color(red8: 255, green8: 0, blue8: 0)
    let patched = try format.patched(text, ids: colors.map(\.id), to: Samples.sheet(colors))
    #expect(
      String(decoding: patched, as: UTF8.self)
        == ".Sea { color: rgb(255, 0, 0) }\n.Sand { color: #334455; }\n"
    )
  }

  @Test func xmlOfOtherProgramsSaysItsColorsInOtherWords() throws {
    let coolors =
      #"<palette><color name="Charcoal" hex="264653" r="38" g="70" b="83"/><color name="Sea" r="42" g="157" b="143"/></palette>"#
    try check(coolors, "a.xml", is: "corel", ["#264653", "#2a9d8f"], ["Charcoal", "Sea"])
    let inks =
      #"<palette><description type="CMYK" name="Inks"/><color c="0" m="1" y="1" k="0" name="Red"/></palette>"#
    try check(inks, "a.skp", is: "corel", ["#ff0000"], ["Red"])
    #expect(try read(inks, "a.skp").1.title == "Inks")
    // What says no color is said to have none.
    #expect(throws: FormatError.self) {
      try read(#"<palette><color name="Red"/></palette>"#, "a.xml")
    }
  }

  @Test func numbersInColumnsAreOneColor() throws {
    for text in [
      "255, 255, 0, Title\n0,   0,   0, Ink\n", "Title, 255, 255, 0\nInk, 0, 0, 0\n",
      "Color, 255, 255, 0, Title, 255, 255, 0\nColor, 0, 0, 0, Ink, 0, 0, 0\n",
    ] {
      try check(text, "a.csv", is: "csv", ["#ffff00", "#000000"], ["Title", "Ink"])
    }
  }

  @Test func aModelOfSketchUpIsNoPalette() throws {
    let bytes: [UInt8] =
      [0xFF, 0xFE, 0xFF, 0x0E] + Array("SketchUp Model".utf16).flatMap { [UInt8($0), 0] }
    #expect(try !FormatRegistry.standard.read(bytes, named: "a.skp").contents.isPalette)
  }

  /// Six formats from six worlds, and one palette.
  @Test(arguments: ["gpl", "ase", "aco", "css", "dtcg", "scribus"])
  func theSamePaletteReadsTheSame(_ name: String) throws {
    let colors = (0..<300).map { (number: Int) in
      let color = Color(red8: UInt8(number & 255), green8: UInt8(number * 7 & 255), blue8: 9)
      return Samples.named(UInt64(number), "Color \(number) / Ünï", color)
    }
    let format = try FormatRegistry.standard.format(named: name)
    let bytes = try format.write(Samples.sheet(colors))
    let (found, contents) = try FormatRegistry.standard.read(bytes, named: "palette")
    #expect(
      found.name == name && [nil, "Reef"].contains(contents.title) && contents.skipped.isEmpty
    )
    #expect(contents.entries.map(\.color.hex) == colors.map(\.color.hex))
    #expect(contents.entries.map(\.name) == colors.map(\.name))
  }

  @Test func tokensThatStandForOthersAreFollowedFarAndInCircles() throws {
    var tokens = [JSONObject.Member("c0", ["$type": "color", "$value": "#ff0000"])]
    for number in 1..<1_000 {
      let value = JSON("{c\(number - 1)}")
      tokens.append(.init("c\(number)", ["$type": "color", "$value": value]))
    }
    for (name, other) in [("x", "y"), ("y", "z"), ("z", "x")] {
      tokens.append(.init(name, ["$type": "color", "$value": JSON("{\(other)}")]))
    }
    let contents = try TokenFormat().read(JSON.object(JSONObject(tokens)).bytes)
    #expect(
      contents.entries.count == 1_000 && contents.entries.allSatisfy { $0.color.hex == "#ff0000" }
    )
    #expect(contents.skipped.map(\.at) == ["x", "y", "z"])
  }

  private static let limits = [
    ("a.gpl", "GIMP Palette\n", "1 2 3\n", FileLimit.lines),
    ("a.scss", "", "$a:1;", FileLimit.variables),
    ("a.js", "module.exports={a:'#fff'", ",b", FileLimit.tokens),
    ("a.csv", "name,color", ",", FileLimit.cells),
    ("a.json", "[0", ",1", JSONParser.valueLimit),
  ]

  // A debug build takes seconds for a million of them.
  @Test(arguments: limits.filter { TestSeeds.isNight || $0.3 < 1_000_000 })
  func moreThanAPaletteHasIsRefused(_ name: String, _ start: String, _ unit: String, _ limit: Int) {
    let text = start + String(repeating: unit, count: limit + 1)
    let error = #expect(throws: FormatError.self) { try read(text, name) }
    #expect(error?.message.contains("more than \(limit)") == true)
  }
}
