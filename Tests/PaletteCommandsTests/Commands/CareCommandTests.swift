import Foundation
import PaletteJSON
import PaletteStore
import Testing

@testable import PaletteCommands

struct CareCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime"])
  }

  private var backup: String { library.folder.file("backup") }

  @Test func backsUpAndRecovers() throws {
    let made = try library.call("backup", ["file": JSON(backup)])
    #expect(made.keys == ["file", "bytes", "pages", "palettes", "colors"])
    #expect(made["palettes"] == 1 && made["colors"] == 2)
    let size = try FileManager.default.attributesOfItem(atPath: backup)[.size] as? Int
    #expect(made["bytes"]?.integerValue == size.map { Int64($0) })
    let status = try library.call("status")
    try library.call("remove", ["palette": "Sea", "colors": ["a", "b"]])

    let recovered = try library.call("recover", ["file": JSON(backup)])
    #expect(
      recovered.keys == ["file", "bytes", "pages", "palettes", "colors", "node", "kept", "revoked"]
    )
    #expect(try library.names() == ["a", "b"])
    let now = try library.call("status")
    #expect(now["digest"] == status["digest"] && now["node"] != status["node"])
    #expect(now["node"] == recovered["node"])
    let kept = try #require(recovered["kept"]?.stringValue)
    #expect(FileManager.default.fileExists(atPath: kept))
    // What the old node did can be undone by the library that it belonged to.
    try library.call("add", ["palette": "Sea", "value": "blue", "name": "c"])
    #expect(try library.names() == ["a", "b", "c"])
  }

  @Test func verifiesBackups() throws {
    try library.call("backup", ["file": JSON(backup)])
    let sound = try library.call("backup", ["file": JSON(backup), "verify": true])
    #expect(sound.keys == ["ok", "checks", "file", "bytes", "palettes", "colors"])
    #expect(sound["ok"] == true && sound["palettes"] == 1 && sound["colors"] == 2)
    #expect(try library.code("backup", ["file": "/nowhere/b", "verify": true]) == "not-found")
  }

  @Test func aDrillRecoversForTrialAndLeavesNothing() throws {
    try library.call("backup", ["file": JSON(backup)])
    try library.call("remove", ["palette": "Sea", "colors": ["a"]])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: backup))
    let digest = try library.digest()
    let drill = try library.call("backup", ["file": JSON(backup), "drill": true])
    #expect(drill.keys == ["ok", "checks", "file", "bytes", "palettes", "colors"])
    #expect(drill["ok"] == true && drill["palettes"] == 1 && drill["colors"] == 2)
    let checks = drill["checks"]?.arrayValue ?? []
    #expect(checks.map { $0["name"]?.stringValue } == ["file", "integrity", "state", "recovery"])
    #expect(
      checks.last?["detail"]
        == "recovered for trial: 1 palette with 2 colors, the digest is the same, and an edit was taken"
    )
    #expect(try library.digest() == digest)
    #expect(try library.names() == ["b"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == bytes)
  }

  @Test func aDrillOfWhatIsNotSoundRecoversNothing() throws {
    try library.call("backup", ["file": JSON(backup)])
    let connection = try DatabaseConnection(path: backup, mode: .readWrite(create: false))
    try connection.execute("UPDATE palette SET colors = 7")
    let drill = try library.call("backup", ["file": JSON(backup), "drill": true])
    #expect(drill["ok"] == false)
    #expect(drill["checks"]?.arrayValue?.last?["name"] == "state")
  }

  @Test(
    arguments: [
      ("UPDATE palette SET digest = zeroblob(16)", "state"),
      ("UPDATE palette SET colors = 7", "state"), ("DELETE FROM record WHERE name = 'b'", "state"),
      ("PRAGMA application_id = 7", "file"),
    ]
  )
  func verifyingFindsWhatIsWrong(_ sql: String, _ check: String) throws {
    try library.call("backup", ["file": JSON(backup)])
    let connection = try DatabaseConnection(path: backup, mode: .readWrite(create: false))
    try connection.execute(sql)
    let answer = try library.call("backup", ["file": JSON(backup), "verify": true])
    #expect(answer["ok"] == false)
    let failed = (answer["checks"]?.arrayValue ?? []).filter { $0["ok"] == false }
    #expect(failed.map { $0["name"]?.stringValue } == [check])
  }

  @Test func verifyingFindsEveryFlippedPage() throws {
    try library.call("backup", ["file": JSON(backup)])
    let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
    let size = 2048
    for page in stride(from: 0, to: whole.count, by: size) {
      var damaged = whole
      damaged.replaceSubrange(page..<page + size, with: Data(repeating: 0xA5, count: size))
      try damaged.write(to: URL(fileURLWithPath: backup))
      let answer = try library.call("backup", ["file": JSON(backup), "verify": true])
      #expect(answer["ok"] == false, "page \(page / size)")
    }
    try whole.dropLast(size).write(to: URL(fileURLWithPath: backup))
    #expect(try library.call("backup", ["file": JSON(backup), "verify": true])["ok"] == false)
  }

  @Test func recoversWhereNothingIs() throws {
    try library.call("backup", ["file": JSON(backup)])
    let other = try TestLibrary()
    #expect(try other.code("recover", ["file": "/nowhere/backup"]) == "not-found")
    #expect(!FileManager.default.fileExists(atPath: other.home))
    #expect(try other.call("recover", ["file": JSON(backup)])["kept"] == .null)
    #expect(try other.names() == ["a", "b"])
  }

  @Test func refusesWhatIsNoBackup() throws {
    try library.folder.write("no database", to: "backup")
    let digest = try library.digest()
    #expect(try library.code("recover", ["file": JSON(backup)]) == "not-a-library")
    #expect(try library.digest() == digest)
    #expect(try TestLibrary().code("backup", ["file": JSON(backup)]) == "not-found")
    #expect(try library.folder.text("backup") == "no database")
  }

  @Test func compacts() throws {
    for value in ["blue", "navy", "teal"] {
      try library.call("set", ["palette": "Sea", "color": "a", "value": JSON(value)])
    }
    let before = try library.call("list", ["palette": "Sea"])
    let kept = try library.call("compact")
    #expect(
      kept.keys == [
        "before", "palettes", "changes", "removed", "removedBytes", "bytesBefore", "bytesAfter",
      ]
    )
    #expect(kept["removed"] == 0 && kept["changes"] == 7)
    #expect(kept["palettes"]?[0]?.keys == ["id", "name", "changes", "removed", "removedBytes"])
    let now = try library.call("compact", ["before": "now"])
    #expect(now["removed"] == 2 && now["palettes"]?[0]?["removed"] == 2)
    #expect(try library.call("list", ["palette": "Sea"]) == before)
    #expect(try library.code("list", ["palette": "Sea", "at": "1 minute ago"]) == "no-history")
    #expect(try library.code("compact", ["before": "soon"]) == "bad-time")
    #expect(try library.call("doctor")["ok"] == true)
  }

  @Test func compactingNothingMakesNothing() throws {
    let other = try TestLibrary()
    #expect(try other.call("compact")["palettes"] == [])
    #expect(!FileManager.default.fileExists(atPath: other.home))
  }

  @Test func tellsTheStatus() throws {
    let status = try library.call("status")
    #expect(
      status.keys == [
        "node", "version", "running", "listening", "inSync", "reasons", "pending", "missing",
        "digest", "clockOffsetMilliseconds", "totals", "palettes", "peers",
        "members",
      ]
    )
    #expect(status["running"] == false && status["listening"] == [] && status["peers"] == [])
    #expect(status["node"]?.stringValue?.count == 16)
    let palette = try #require(status["palettes"]?[0])
    #expect(palette.keys == ["id", "name", "count", "digest", "pending", "conflicts", "with"])
    #expect(palette["with"] == [] && status["members"] == [])
    #expect(palette["count"] == 2 && palette["pending"] == 0 && palette["conflicts"] == 0)
    let empty = try TestLibrary().call("status")
    #expect(empty["node"] == .null && empty["palettes"] == [])
    #expect(empty["digest"] == "00000000000000000000000000000000")
  }
}
