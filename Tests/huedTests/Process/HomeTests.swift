import Foundation
import PaletteCommands
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

/// Where the library is, and what else may be there.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct HomeTests {
  @Test(arguments: ["a b", "日本 語", "it's \"quoted\"", String(repeating: "deep/", count: 40) + "x"])
  func mayBeCalledAnything(_ name: String) throws {
    let home = try TestHome(name)
    try home.document("new", "Sea")
    try home.document("add", "Sea", "red")
    #expect(try home.names("Sea") == ["#ff0000"])
    #expect(try home.document("doctor")["ok"].boolValue == true)
  }

  @Test func nothingIsWrittenElsewhere() throws {
    let home = try TestHome("user")
    let variables = ["HUED_HOME": "", "HOME": home.path, "TMPDIR": home.folder.file("temporary")]
    func run(_ arguments: String...) throws -> Int32 {
      try Shell.run(Shell.hued, arguments, variables: variables).status
    }
    #expect(try run("palettes") == 0)
    #expect(try home.folder.names == [])
    #expect(try run("new", "Sea") == 0)
    #expect(try run("add", "Sea", "red") == 0)
    #expect(try run("list", "Sea") == 0)
    #expect(try run("compact", "--yes") == 0)
    #expect(try run("doctor") == 0)
    #expect(try run("config", "set", "color", "never") == 0)
    let library = "user/.local/share/hued"
    let allowed = [
      "user", "user/.local", "user/.local/share", library, "user/.config", "user/.config/hued",
      "user/.config/hued/config.json",
    ]
    for file in try TestHome.files(below: home.folder.path) {
      #expect(allowed.contains(file) || file.hasPrefix(library + "/"), "\(file)")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: home.folder.file(library))
    #expect(mode[.posixPermissions] as? Int == 0o700)
  }

  /// What cannot be looked at may hold everything, and must not count as nothing.
  @Test(arguments: ["a file for a home", "a file for its folder", "a link to nowhere", "closed"])
  func onlyAMissingHomeIsEmpty(_ what: String) throws {
    let user = try TestHome("user")
    let share = user.path + "/.local/share"
    let home = share + "/hued"
    let files = FileManager.default
    let above = what == "a file for its folder" ? user.path + "/.local" : share
    try files.createDirectory(atPath: above, withIntermediateDirectories: true)
    switch what {
    case "a file for a home": try Data("text".utf8).write(to: URL(filePath: home))
    case "a file for its folder": try Data("text".utf8).write(to: URL(filePath: share))
    case "a link to nowhere":
      try files.createSymbolicLink(atPath: home, withDestinationPath: "/nowhere/at all")
    default:
      // Nothing is closed to root.
      guard geteuid() != 0 else { return }
      try files.setAttributes([.posixPermissions: 0], ofItemAtPath: share)
    }
    defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: share) }
    for variables in [["HUED_HOME": "", "HOME": user.path], ["HUED_HOME": home]] {
      for command in ["palettes", "status", "list Sea", "add Sea red", "new Sea", "doctor"] {
        let result = try Shell.run(
          Shell.hued,
          ["--json"] + command.split(separator: " ").map(String.init),
          variables: variables
        )
        #expect(result.status == 7, "\(command): \(result)")
      }
    }
  }

  @Test(.enabled(if: Mount.isPossible)) func readOnlyFoldersCanBeRead() throws {
    let home = try TestHome()
    try home.document("new", "Sea")
    try home.document("add", "Sea", "red")
    let mount = try Mount(readOnly: home.path)
    let files = try TestHome.files(below: home.path)
    #expect(try home.names("Sea") == ["#ff0000"])
    #expect(try home.failure(["add", "Sea", "blue"]) == (7, "read-only"))
    #expect(try home.failure(["config", "set", "color", "never"]) == (7, "read-only"))
    #expect(try home.run(["doctor"]).status == 7)
    #expect(try TestHome.files(below: home.path) == files)
    withExtendedLifetime(mount) {}
  }

  @Test func otherFilesAreLeftAlone() throws {
    let home = try TestHome()
    try home.document("new", "Sea")
    let path = home.path + "/library.sqlite"
    let library = try Data(contentsOf: URL(fileURLWithPath: path))
    var newer = library
    newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    var foreign = library
    foreign.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    let cases: [(Data, Int32, String)] = [
      (newer, 8, "newer-format"), (foreign, 7, "not-a-library"),
      (Data("some text, no database at all".utf8), 7, "not-a-library"), (Data(), 7, "corrupt"),
      (library.dropLast(1000), 7, "corrupt"),
    ]
    for (bytes, status, code) in cases {
      try bytes.write(to: URL(fileURLWithPath: path))
      for arguments in [["list", "Sea"], ["palettes"], ["add", "Sea", "red"], ["new", "X"]] {
        let failure = try home.failure(arguments)
        #expect(failure.status == status && failure.code == code, "\(arguments): \(failure)")
      }
      #expect(try home.run(["doctor"]).status == status)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test(.enabled(if: Mount.isPossible)) func aFullDiskLosesNothing() throws {
    let home = try TestHome()
    try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
    let mount = try Mount(tmpfsAt: home.path, bytes: 256 << 10)
    try home.document("new", "Sea")
    var expected: [String] = []
    var failure: (status: Int32, code: String)?
    let name = String(repeating: "n", count: 1000)
    for index in 0..<200 where failure == nil {
      let result = try home.run(["add", "Sea", "red", "\(name)\(index)", "--json"])
      if result.status == 0 {
        expected.append("\(name)\(index)")
      } else {
        failure = (
          result.status,
          try JSON(answer: Array(result.error.utf8))["error"]["code"].stringValue ?? ""
        )
      }
    }
    #expect(try #require(failure) == (7, "disk-full"))
    #expect(try home.names("Sea") == expected)
    try mount.resize(bytes: 4 << 20)
    try home.document("add", "Sea", "blue", "after")
    #expect(try home.names("Sea") == expected + ["after"])
  }
}
