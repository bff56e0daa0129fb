import PaletteCommands
import PaletteProgram
import Testing

@testable import hued

struct ExitCodeTests {
  @Test(arguments: [
    ("bad-usage", 2), ("bad-color", 2), ("bad-name", 2), ("bad-position", 2), ("bad-time", 2),
    ("bad-format", 2), ("bad-value", 2), ("exists", 2), ("not-removed", 2), ("no-conflict", 2),
    ("needs-confirmation", 2), ("too-large", 2), ("not-found", 3), ("no-history", 3),
    ("ambiguous", 4), ("unreachable", 5), ("not-allowed", 6), ("storage", 7), ("locked", 7),
    ("disk-full", 7), ("corrupt", 7), ("read-only", 7), ("not-a-library", 7), ("newer-format", 8),
    ("incompatible", 8), ("timed-out", 124), ("interrupted", 130), ("failed", 1),
    ("some-new-word", 1),
  ])
  func followsFromTheErrorsWord(_ code: String, _ status: Int32) throws {
    let error = APIError(code: code, message: "it went wrong", hint: "try again")
    let run = TestRun(error: error)
    #expect(run.run("list", "P").rawValue == status)
    #expect(run.console.notes == "hued: it went wrong\nhint: try again\n")
    #expect(run.console.output.isEmpty)

    let json = TestRun(error: error)
    #expect(json.run("list", "P", "--json").rawValue == status)
    #expect(
      json.console.notes == #"{"error":{"code":"\#(code)","message":"it went wrong","#
        + #""hint":"try again"}}"# + "\n"
    )
  }
}
