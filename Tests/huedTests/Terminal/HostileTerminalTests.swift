import PaletteCommands
import PaletteModel
import Testing

@testable import hued

/// Names, reasons and errors of others never move the cursor, name the window or turn a line around.
struct HostileTerminalTests {
  private static let hostile = "\u{1B}]0;x\u{7}\u{202E}y\n" + String(repeating: "z", count: 60_000)

  private func expectHarmless(_ run: TestRun, _ what: String) {
    for text in [run.console.text, run.console.notes] {
      #expect(!text.contains("\u{1B}]") && !text.unicodeScalars.contains("\u{7}"), "\(what)")
      #expect(!text.unicodeScalars.contains { $0.isBidirectional }, "\(what)")
    }
  }

  @Test func errorsShowWords() {
    let error = APIError(code: "failed", message: Self.hostile, hint: Self.hostile)
    let run = TestRun.onTerminal(error: error)
    run.run("status")
    expectHarmless(run, "error")
  }

  @Test func progressShowsWords() {
    let line = ProgressMeter(Self.hostile, at: 0).line(columns: 1_000, at: 1)
    #expect(!line.unicodeScalars.contains { $0.isControl || $0.isBidirectional })
    #expect(line.unicodeScalars.count < 300)
  }
}
