import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

/// Every command that needs no peer, as a person would use them one after another.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct WalkthroughTests {
  private let home: TestHome

  init() throws {
    home = try TestHome()
  }

  @Test func paletteAndColors() throws {
    let sea = try home.document("new", "Sea")
    #expect(sea.keys == ["id", "name", "count", "digest"])
    let red = try home.document("add", "Sea", "red", "Rot")
    #expect(red.keys == ["id", "name", "color", "hex", "index", "note", "conflicts", "seen"])
    try home.document("add", "Sea", "oklch(70% 0.1 40)", "--at", "0")
    try home.document("add", "Sea", "blue", "Blau", "--before", "Rot")
    #expect(try home.names("Sea") == ["#d4896e", "Blau", "Rot"])
    #expect(try home.document("set", "Sea", "Rot", "#ff0001")["hex"].stringValue == "#ff0001")
    #expect(try home.document("rename", "Sea", "Blau", "Blue")["name"].stringValue == "Blue")
    #expect(try home.document("note", "Sea", "Blue", "--", "-1")["note"].stringValue == "-1")
    #expect(try home.document("move", "Sea", "Blue", "--at", "2")["index"].intValue == 2)
    #expect(
      try home.document("tweak", "Sea", "Blue", "--lighter", "5%")["hex"].stringValue == "#1a1aff"
    )
    let removed = try home.document("remove", "Sea", "Rot", "Blue")["removed"].arrayValue
    #expect(removed?.count == 2)
    #expect(try home.document("restore", "Sea", "Rot")["index"].intValue == 1)
    #expect(try home.document("title", "Sea", "See")["name"].stringValue == "See")
    #expect(try home.document("drop", "See", "--yes")["count"].intValue == 2)
    #expect(try home.document("palettes")["palettes"].arrayValue?.isEmpty == true)
    #expect(try home.document("restore", "See")["id"] == sea["id"])
    #expect(try home.names("See") == ["#d4896e", "Rot"])
  }

  @Test func timeAndConflicts() throws {
    try home.document("new", "Sea")
    try home.document("add", "Sea", "red", "a")
    #expect(
      try home.document("undo", "Sea")["changed"].arrayValue?.first?["removed"].boolValue == true
    )
    #expect(try home.document("redo", "Sea")["changed"].arrayValue?.first?["index"].intValue == 0)
    #expect(try home.document("redo", "Sea")["changed"].arrayValue?.isEmpty == true)
    let changes = try home.document("history", "Sea", "--limit", "2")["changes"].arrayValue
    #expect(changes?.map { $0["kind"].stringValue } == ["restore", "delete"])
    #expect(try home.document("conflicts")["conflicts"].arrayValue?.isEmpty == true)
    #expect(try home.document("conflicts", "Sea")["conflicts"].arrayValue?.isEmpty == true)
    #expect(try home.failure(["resolve", "Sea", "a", "color", "red"]) == (2, "no-conflict"))
    let past = try home.document("list", "Sea", "--at", "10 minutes ago")
    #expect(past["colors"].arrayValue?.isEmpty == true)
  }

  private static let packed =
    "UEsDBBQAAAAIAAAAIVBzTzAeDAAAAIwAAAAJAAAAYS9TZWEuaGV4MzAwMEhL4zIYDBQAUEsDBBQAAAAIAAAAIVC41ZhTHgAA"
    + "ADcAAAAIAAAATGFuZC5ncGxz9/QNUAhIzEktKUnlMlAwNLJQMOB0L0osLsbLAwBQSwMEFAAAAAgAAAAhUIMW3IwDAAAAAQAA"
    + "AA4AAABfX01BQ09TWC94LmhleKsAAFBLAwQUAAAACAAAACFQgxbcjAMAAAABAAAACQAAAHJlYWRtZS5tZKsAAFBLAQIUAxQA"
    + "AAAIAAAAIVBzTzAeDAAAAIwAAAAJAAAAAAAAAAAAAACAAQAAAABhL1NlYS5oZXhQSwECFAMUAAAACAAAACFQuNWYUx4AAAA3"
    + "AAAACAAAAAAAAAAAAAAAgAEzAAAATGFuZC5ncGxQSwECFAMUAAAACAAAACFQgxbcjAMAAAABAAAADgAAAAAAAAAAAAAAgAF3"
    + "AAAAX19NQUNPU1gveC5oZXhQSwECFAMUAAAACAAAACFQgxbcjAMAAAABAAAACQAAAAAAAAAAAAAAgAGmAAAAcmVhZG1lLm1k"
    + "UEsFBgAAAAAEAAQA4AAAANAAAAAAAA=="

  @Test func foldersAndArchives() throws {
    let folder = home.folder.file("Palettes")
    for (path, text) in [
      ("Sea.hex", "0000ff\n"), ("deep/Land.gpl", "GIMP Palette\n0 128 0\tGrass\n"),
      (".hidden.hex", "x"),
      ("readme.md", "no palette"),
      (
        "deep/App.xcassets/Red.colorset/Contents.json",
        #"{"colors":[{"idiom":"universal","color":{"color-space":"srgb","#
          + #""components":{"red":"1.0","green":"0","blue":"0"}}}]}"#
      ),
    ] {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: "\(folder)/\(path)").deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try home.folder.write(text, to: "Palettes/\(path)")
    }
    let imported = try home.document("import", folder + "/")["files"].arrayValue ?? []
    #expect(
      imported.map { $0["file"]?.stringValue } == [
        "\(folder)/Sea.hex", "\(folder)/deep/Land.gpl", "\(folder)/deep/App.xcassets",
      ]
    )
    #expect(imported.map { $0["format"]?.stringValue } == ["hex", "gpl", "xcassets"])
    #expect(imported.allSatisfy { $0["inserted"]?.intValue == 1 })

    let output = home.folder.file("Out.xcassets")
    let exported = try home.document("export", "App", "--output", output)
    #expect(exported["format"].stringValue == "xcassets")
    let again = try home.document("import", output, "--palette", "App")["files"].arrayValue?.first
    #expect(again?["colors"]?.intValue == 1 && again?["inserted"]?.intValue == 0)
    #expect(again?["updated"]?.intValue == 0)

    // The same as an archive: a palette of its own is one, others are as many as are in it.
    let packed = home.folder.file("App.zip")
    _ = try home.document("export", "App", "--format", "xcassets", "--output", packed)
    let archive = try home.document("import", packed)["files"].arrayValue?.first
    #expect(archive?["format"]?.stringValue == "xcassets" && archive?["error"]?.isNull == true)
    let empty = home.folder.file("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    #expect(try home.run(["import", empty]).status == 2)
    try Data(base64Encoded: Self.packed).map { try $0.write(to: URL(fileURLWithPath: packed)) }
    let inner = try home.document("import", packed)["files"].arrayValue ?? []
    #expect(inner.map { $0["file"]?.stringValue } == ["\(packed)/a/Sea.hex", "\(packed)/Land.gpl"])
    #expect(inner.map { $0["colors"]?.intValue } == [20, 3])
  }

  @Test func saysWhatToDoWithoutACommand() throws {
    let empty = try home.run([])
    #expect(empty.status == 0 && empty.output.contains("hued new NAME"))
    #expect(try home.document("new", "Sea")["name"].stringValue == "Sea")
    let filled = try home.run([]).output
    #expect(filled.contains("Sea") && filled.contains("hued add PALETTE VALUE"))
    let document = try JSON(answer: Array(try home.run(["--json"]).output.utf8))
    #expect(document["palettes"].arrayValue?.count == 1)
  }

  @Test func files() throws {
    try home.folder.write("ff0000\n00ff0080\n", to: "Sea.hex")
    let imported = try home.document("import", home.folder.file("Sea.hex"))["files"].arrayValue?
      .first
    #expect(imported?["inserted"].intValue == 2 && imported?["error"].isNull == true)
    let text = try home.run(["export", "Sea", "--format", "hex"])
    #expect(text.output == "ff0000\n00ff0080\n" && text.error == "")
    let output = home.folder.file("out.txt")
    #expect(try home.document("export", "Sea", "--output", output)["format"].stringValue == "txt")
    #expect(try home.folder.text("out.txt").hasPrefix("rgb(255, 0, 0)\t#ff0000\n"))
    try home.folder.write("\u{0}\u{1}", to: "bad.bin")
    let mixed = try home.run([
      "import", home.folder.file("bad.bin"), home.folder.file("none"), output, "--json",
    ])
    #expect(mixed.status == 2 && mixed.error == "")
    let files = try #require(try JSON(answer: Array(mixed.output.utf8))["files"].arrayValue)
    #expect(files.map { $0["error"]["code"].stringValue } == ["bad-format", "not-found", nil])
    #expect(try home.document("formats")["formats"].arrayValue?.isEmpty == false)
  }

  @Test func care() throws {
    try home.document("new", "Sea")
    let backup = home.folder.file("backup")
    #expect(try home.document("backup", backup)["palettes"].intValue == 1)
    #expect(try home.failure(["backup", backup]) == (2, "needs-confirmation"))
    try home.document("backup", backup, "--yes")
    try home.document("add", "Sea", "red")
    #expect(try home.failure(["recover", backup]) == (2, "needs-confirmation"))
    #expect(try home.document("recover", backup, "--yes")["colors"].intValue == 0)
    #expect(try home.failure(["compact"]) == (2, "needs-confirmation"))
    #expect(try home.document("compact", "--yes")["removed"].intValue == 0)
    #expect(try home.document("doctor")["ok"].boolValue == true)
    #expect(try home.document("status")["palettes"].arrayValue?.count == 1)
    #expect(try home.document("config", "set", "color", "never")["value"].stringValue == "never")
    #expect(try home.document("config")["settings"].arrayValue?.isEmpty == false)
  }

  @Test(
    arguments: [
      (["list", "Nope"], 3, "not-found"), (["new", "Sea"], 2, "exists"),
      (["add", "Sea", "nonsense"], 2, "bad-color"), (["add", "Sea", "red", ""], 2, "bad-name"),
      (["add", "Sea", "red", "--at", "7"], 2, "bad-position"),
      (["add", "Sea", "red", "--at", "x"], 2, "bad-position"),
      (["add", "Sea", "red", "--at", "0", "--after", "a"], 2, "bad-usage"),
      (["set", "Sea", "a", "red"], 4, "ambiguous"), (["remove", "Sea", "b", "z"], 3, "not-found"),
      (["restore", "Sea", "b"], 2, "not-removed"), (["restore", "Sea"], 2, "not-removed"),
      (["restore", "Sea", "z"], 3, "not-found"), (["list", "Sea", "--at", "soon"], 2, "bad-time"),
      (["drop", "Sea"], 2, "needs-confirmation"),
      (["export", "Sea", "--format", "x"], 2, "bad-format"),
      (["move", "Sea", "b", "--at", "3"], 2, "bad-position"),
      (["move", "Sea", "b"], 2, "bad-usage"),
      (["resolve", "Sea", "b", "shape", "red"], 2, "bad-value"),
      (["recover", "/nowhere/x", "--yes"], 3, "not-found"),
      (["tweak", "Sea", "b", "--lighter", "nan"], 2, "bad-value"),
    ] as [([String], Int32, String)]
  )
  func refusesAndChangesNothing(_ arguments: [String], _ status: Int32, _ code: String) throws {
    try home.document("new", "Sea")
    for name in ["a", "a", "b"] { try home.document("add", "Sea", "red", name) }
    let before = try home.document("status")
    #expect(try home.failure(arguments) == (status, code))
    #expect(try home.document("status") == before)
  }
}
