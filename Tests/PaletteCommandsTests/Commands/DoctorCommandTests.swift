import Foundation
import PaletteCommands
import PaletteJSON
import PaletteStore
import Testing

struct DoctorCommandTests {
  private let library: TestLibrary

  init() throws {
    library = try TestLibrary(colors: ["red", "lime"])
  }

  /// The names of the checks that failed.
  private func failures(full: Bool = false) throws -> [String] {
    let answer = try library.call("doctor", full ? ["full": true] : [:])
    #expect(answer.keys == ["ok", "checks"])
    let checks = try #require(answer["checks"]?.arrayValue)
    #expect(checks.allSatisfy { $0.keys == ["name", "ok", "detail"] })
    let failed = checks.filter { $0["ok"] == false }.compactMap { $0["name"]?.stringValue }
    #expect((answer["ok"] == true) == failed.isEmpty)
    return failed
  }

  private func change(_ sql: String) throws {
    let connection = try DatabaseConnection(
      path: library.home + "/library.sqlite",
      mode: .readWrite(create: false)
    )
    try connection.execute(sql)
  }

  @Test func findsNothingWrong() throws {
    #expect(try failures() == [])
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    #expect(try failures() == [])
    withExtendedLifetime(store) {}
  }

  @Test func makesNothingWhereNothingIs() throws {
    let other = try TestLibrary()
    #expect(try other.call("doctor")["ok"] == true)
    #expect(!FileManager.default.fileExists(atPath: other.home))
  }

  @Test(
    arguments: [
      "UPDATE palette SET colors = 7",
      "UPDATE palette SET digest = zeroblob(16)",
      "UPDATE record SET name = 'x' WHERE name = 'a'",
      "UPDATE record SET flags = flags | 512 WHERE name = 'a'",
      "DELETE FROM record WHERE name = 'b'",
      "DELETE FROM change WHERE id % 4294967296 = 2",
      "UPDATE stream SET dropped = 9",
      "UPDATE palette SET title = NULL",
      "UPDATE palette SET dropped = 1",
      "UPDATE bucket SET digest = zeroblob(16)",
      "UPDATE bucket SET colors = colors + 1",
      "DELETE FROM bucket",
    ]
  )
  func findsStateThatIsNotWhatTheChangesSay(_ sql: String) throws {
    try change(sql)
    #expect(try failures(full: true) == ["state"])
    // So few and small palettes are always looked at.
    #expect(try failures() == ["state"])
  }

  @Test func saysWhatItDidNotLookAt() throws {
    for number in 0..<12 { try library.call("new", ["name": JSON("Palette \(number)")]) }
    // The oldest one is not among the newest few.
    try change("UPDATE palette SET colors = 7 WHERE id = 1")
    let quick = try #require(try library.call("doctor")["checks"]?.arrayValue)
    let state = try #require(quick.first { $0["name"] == "state" })
    #expect(state["ok"] == true)
    #expect(
      state["detail"]?.stringValue?.contains("not looked at; 'hued doctor --full' does") == true
    )
    #expect(try failures(full: true) == ["state"])
  }

  @Test func findsOpenFolders() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: library.home)
    #expect(try failures() == ["folder"])
  }

  @Test func findsBadSettings() throws {
    try "{".write(toFile: library.home + "/config.json", atomically: false, encoding: .utf8)
    #expect(try failures() == ["settings"])
  }

  @Test func findsDamage() throws {
    let path = library.home + "/library.sqlite"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.removeLast(100)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try failures() == ["library"])
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try failures() == ["library"])
  }

  @Test func refusesANewerLibrary() throws {
    try change("PRAGMA user_version = 99")
    #expect(try library.code("doctor") == "newer-format")
    #expect(try library.code("list", ["palette": "Sea"]) == "newer-format")
    #expect(try library.code("add", ["palette": "Sea", "value": "red"]) == "newer-format")
  }

  @Test func noticesAClockThatWentBack() throws {
    try change("UPDATE moment SET milliseconds = milliseconds + 3600000")
    #expect(try failures() == ["clock"])
  }
}
