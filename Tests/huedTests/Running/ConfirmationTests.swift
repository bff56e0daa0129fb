import PaletteCommands
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct ConfirmationTests {
  static let lines = [["drop", "P"], ["compact"], ["recover", #filePath]]

  @Test(arguments: lines)
  func needsYesWithoutATerminal(_ line: [String]) throws {
    let run = TestRun()
    #expect(run.program.run(line + ["--json"]) == .badInput)
    let error = try JSON(answer: Array(run.console.notes.utf8))["error"]
    #expect(error["code"].stringValue == "needs-confirmation")
    #expect(run.api.requests.isEmpty)
  }

  @Test(arguments: lines)
  func yesAnswersInAdvance(_ line: [String]) {
    let run = TestRun()
    #expect(run.program.run(line + ["--yes"]) == .done)
    #expect(run.api.requests.count == 1)
  }

  @Test(arguments: ["y", "Y", "yes"])
  func asksOnATerminal(_ answer: String) {
    let run = TestRun.onTerminal()
    run.console.answers = [answer]
    #expect(run.run("drop", "P\u{1B}") == .done)
    #expect(run.console.notes.contains("'P'"))
    #expect(run.console.notes.hasSuffix("[y/N] "))
    #expect(run.api.requests.map(\.method) == ["status", "drop"])
  }

  @Test(arguments: [["n"], [""], [], ["yep"]])
  func doesNothingUnlessConfirmed(_ answers: [String]) {
    let run = TestRun.onTerminal()
    run.console.answers = answers
    #expect(run.run("drop", "P") == .failed)
    #expect(run.api.requests.map(\.method) == ["status"])
  }

  @Test func doesNotAskAboutWhatIsNotThere() {
    let run = TestRun.onTerminal(error: APIError(code: "not-found", message: "there is no palette"))
    run.console.answers = ["y"]
    #expect(run.run("drop", "nope") == .notFound)
    #expect(!run.console.notes.contains("[y/N]"))
    #expect(run.api.requests.map(\.method) == ["status"])
  }

  @Test func namesThePaletteThatAnIDStandsFor() {
    let run = TestRun.onTerminal(#"{"palettes":[{"name":"Brand"}]}"#)
    #expect(run.run("drop", "b1aa48") == .failed)
    #expect(run.console.notes.contains("Drop the palette 'Brand' with all its colors?"))
  }

  @Test func backupAsksOnlyBeforeReplacing() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "old.db")
    let run = TestRun()
    #expect(run.run("backup", folder.file("new.db")) == .done)
    #expect(run.run("backup", folder.file("old.db")) == .badInput)
    #expect(run.run("backup", folder.file("old.db"), "--yes") == .done)
    #expect(run.api.requests.count == 2)
  }
}
