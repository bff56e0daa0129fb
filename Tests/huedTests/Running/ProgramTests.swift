import PaletteCommands
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct ProgramTests {
  @Test func printsTheDocumentVerbatim() {
    let run = TestRun(#"{"palettes": [ ],"x":1.50}"#)
    #expect(run.run("palettes", "--json") == .done)
    #expect(run.console.text == #"{"palettes": [ ],"x":1.50}"# + "\n")
    #expect(run.console.notes == "")
  }

  @Test func tellsItsVersionWithoutTheLibrary() {
    let run = TestRun()
    #expect(run.run("--version") == .done)
    #expect(run.console.text == "hued 0.1.0\n")
    let json = TestRun()
    json.run("list", "--version", "--json")
    #expect(json.console.text == #"{"version":"0.1.0"}"# + "\n")
    #expect(run.api.location == nil && json.api.location == nil)
  }

  @Test func endsQuietlyWhenTheReaderHasSeenEnough() {
    let run = TestRun(#"{"palettes":[]}"#)
    run.console.failure = .closedPipe
    #expect(run.run("palettes", "--json") == .done)
    #expect(run.console.notes == "")
  }

  @Test func failsWhenTheResultCannotBeWritten() throws {
    let run = TestRun(#"{"palettes":[]}"#)
    run.console.failure = .failed("No space left on device")
    #expect(run.run("palettes", "--json") == .failed)
    let error = try JSON(answer: Array(run.console.notes.utf8))["error"]
    #expect(error["code"].stringValue == "failed")
    #expect(error["message"].stringValue?.contains("No space left") == true)
  }

  @Test func stripsControlCharactersFromMessagesOnATerminal() {
    var run = TestRun(error: APIError(code: "ambiguous", message: "a \u{1B}[31m\u{202E}b"))
    run.environment.isErrorTerminal = true
    #expect(run.run("list", "P") == .ambiguous)
    #expect(run.console.notes == "hued: a [31mb\n")
  }

  @Test func failsWhenTheAnswerIsNoJSON() {
    let run = TestRun("oops")
    #expect(run.run("list", "P") == .failed)
    #expect(run.console.notes.contains("cannot be read"))
  }

  @Test func tellsTheLibraryWhenVerbose() {
    let run = TestRun(#"{"palettes":[]}"#)
    run.run("palettes", "--verbose", "--home", "x")
    #expect(run.console.notes == "hued: library /folder/x\n")
    #expect(run.console.text == "")
    let json = TestRun(error: APIError(code: "failed", message: "no"))
    json.run("palettes", "--verbose", "--json")
    #expect(json.console.notes.hasPrefix(#"{"error""#))
  }

  @Test func startsTheWatchBeforeACommand() {
    let run = TestRun(#"{"palettes":[]}"#)
    var seconds: [Double?] = []
    let program = Program(
      environment: run.environment,
      console: run.console,
      makeAPI: { _, _, _ in run.api },
      watch: { limit, _ in seconds.append(limit) }
    )
    _ = program.run(["palettes", "--timeout", "2.5"])
    _ = program.run(["palettes"])
    _ = program.run(["--help"])
    #expect(seconds == [2.5, nil])
  }

  @Test func doctorFailsWithItsChecks() {
    let answer = #"{"ok":false,"checks":[{"name":"disk","ok":false,"detail":"full"}]}"#
    let run = TestRun(answer)
    #expect(run.run("doctor") == .storage)
    #expect(run.console.text == "disk\tfailed\tfull\n")
    let json = TestRun(answer)
    #expect(json.run("doctor", "--json") == .storage)
    #expect(json.console.text == answer + "\n")
  }
}
