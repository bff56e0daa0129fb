import Foundation
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteTestSupport
import Testing

/// Input that nobody types by accident only.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct OddInputTests {
  private let home: TestHome

  init() throws {
    home = try TestHome()
    try home.document("new", "Sea")
  }

  private static let long = String(repeating: "n", count: 2048)

  @Test(
    arguments: [
      (["new", long], 2, "bad-name"), (["new", "a\u{1B}[31m"], 2, "bad-name"),
      (["new", "a\u{85}b"], 2, "bad-name"), (["new", "\u{7F}"], 2, "bad-name"),
      (["add", "Sea", "red", long], 2, "bad-name"),
      (["add", "Sea", "red", "a\nb"], 2, "bad-name"),
      (["add", "Sea", long], 2, "bad-color"),
      (["add", "Sea", "rgb(NaN 0 0)"], 2, "bad-color"),
      (["add", "Sea", "#ggg"], 2, "bad-color"), (["add", "Sea", ""], 2, "bad-color"),
      (["add", "Sea", "currentcolor"], 2, "bad-color"),
      (["add", "Sea", "red", "--at", "99999999999999999999"], 2, "bad-position"),
      (["add", "Sea", "red", "--at", "1e400"], 2, "bad-position"),
      (["add", "Sea", "red", "--at", "9223372036854775807"], 2, "bad-position"),
      (["history", "Sea", "--limit", "-1"], 2, "bad-value"),
      (["list", "Sea", "--at", "99999999999999999999 years ago"], 2, "bad-time"),
      (["list", "Sea", "--at", long], 2, "bad-time"),
      (["list", long], 3, "not-found"), (["list", ""], 3, "not-found"),
      (["list", "%s%n"], 3, "not-found"), (["list", "'; DROP TABLE record; --"], 3, "not-found"),
      (["config", "set", "timeout", "nan"], 2, "bad-value"),
    ] as [([String], Int32, String)]
  )
  func isRefused(_ arguments: [String], _ status: Int32, _ code: String) throws {
    let before = try home.document("status")
    #expect(try home.failure(arguments) == (status, code))
    #expect(try home.document("status") == before)
  }

  @Test(arguments: [
    "'; DROP TABLE record; --", "%s%n", "emoji 👩‍👩‍👧", "e\u{301}", "\u{202E}right to left", "-dash",
    String(repeating: "é", count: 512), "{\"json\":1}", "a\u{FEFF}b",
  ])
  func isKeptByteForByte(_ name: String) throws {
    try home.document("add", "Sea", "red", "--", name)
    #expect(try home.names("Sea").map { Array($0.utf8) } == [Array(name.utf8)])
    try home.document("remove", "Sea", "--", name)
    #expect(try home.names("Sea") == [])
  }

  @Test(arguments: ["rgb(1e400 0 0)", "rgb(-1e400 0 0)", "hsl(1e400 50% 50%)", "lab(1e308 0 0)"])
  func numbersWithoutEndDoNotEndTheProgram(_ color: String) throws {
    let result = try home.run(["add", "Sea", color, "--json"])
    #expect(!result.endedBySignal && [0, 2].contains(result.status))
    #expect(try home.document("doctor")["ok"].boolValue == true)
    try home.document("list", "Sea")
  }
}
