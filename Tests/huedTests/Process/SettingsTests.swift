import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

/// Settings decide where no flag does.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct SettingsTests {
  private let home: TestHome

  init() throws {
    home = try TestHome()
  }

  @Test func theTimeLimitIsOne() throws {
    try home.document("config", "set", "timeout", "0.05")
    let pipe = home.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try home.failure(["import", pipe]) == (124, "timed-out"))
  }

  @Test func swatchesAreOne() throws {
    try home.document("new", "Sea")
    try home.document("add", "Sea", "red")
    try home.document("config", "set", "color", "always")
    #expect(try home.run(["list", "Sea"]).output.contains("\u{1B}["))
    #expect(try !home.run(["list", "Sea", "--color", "never"]).output.contains("\u{1B}["))
  }

  @Test func badOnesAreSaid() throws {
    try home.document("new", "Sea")
    try home.folder.write("{", to: "home ü/config.json")
    #expect(try home.failure(["palettes"]) == (2, "bad-value"))
    #expect(try home.run(["doctor"]).status == 7)
  }
}
