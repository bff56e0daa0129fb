import PaletteCommands
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct UsageErrorTests {
  struct Case: CustomTestStringConvertible {
    let line: [String]
    let code: String
    let part: String

    init(_ line: [String], _ code: String, _ part: String) {
      self.line = line
      self.code = code
      self.part = part
    }

    var testDescription: String { line.joined(separator: " ") }
  }

  @Test(arguments: [
    Case(["lits", "P"], "bad-usage", "did you mean 'hued list'?"),
    Case(["delete", "P"], "bad-usage", "did you mean 'hued remove'?"),
    Case(["xyzzy"], "bad-usage", "hued help"),
    Case(
      ["--home", "a", "fleet", "list"],
      "bad-usage",
      "write 'hued fleet' without flags before it"
    ),
    Case(["List", "P"], "bad-usage", "did you mean 'hued list'?"),
    Case(["list"], "bad-usage", "needs PALETTE"),
    Case(["list", "P", "Q"], "bad-usage", "unexpected argument 'Q'"),
    Case(["remove", "P"], "bad-usage", "needs COLOR"),
    Case(["list", "P", "--att", "x"], "bad-usage", "did you mean '--at'?"),
    Case(["list", "P", "--jsno"], "bad-usage", "did you mean '--json'?"),
    Case(["note", "P", "C", "-x"], "bad-usage", "put '--' before"),
    Case(["--at", "1", "add", "P", "red"], "bad-usage", "behind the command"),
    Case(["list", "P", "--at"], "bad-usage", "--at needs a value"),
    Case(["list", "P", "--at", "--quiet"], "bad-usage", "--at needs a value"),
    Case(["list", "P", "--at", "a", "--at", "b"], "bad-usage", "more than once"),
    Case(["--home", "a", "--home=b", "palettes"], "bad-usage", "more than once"),
    Case(["palettes", "--json=1"], "bad-usage", "takes no value"),
    Case(["palettes", "--home="], "bad-usage", "needs a folder"),
    Case(["palettes", "--color", "auot"], "bad-usage", "did you mean 'auto'?"),
    Case(["palettes", "--timeout", "0"], "bad-usage", "above 0"),
    Case(["palettes", "--timeout", "soon"], "bad-usage", "above 0"),
    Case(["palettes", "--quiet", "--verbose"], "bad-usage", "exclude"),
    Case(["add", "P", "red", "--at", "1", "--before", "C"], "bad-usage", "--at and --before"),
    Case(["move", "P", "C", "--after", "A", "--before", "B"], "bad-usage", "exclude"),
    Case(["move", "P", "C"], "bad-usage", "one of --at, --before, --after"),
    Case(["tweak", "P", "C"], "bad-usage", "one of --lighter, --darker"),
    Case(["tweak", "P", "C", "--lighter", "--darker"], "bad-usage", "exclude"),
    Case(["tweak", "P", "C", "--lighter", "much"], "bad-value", "'much'"),
    Case(["tweak", "P", "C", "--lighter", "inf"], "bad-value", "'inf'"),
    Case(["tweak", "P", "C", "--lighter", "5", "more"], "bad-usage", "unexpected argument"),
    Case(["add", "P", "red", "--at", "first"], "bad-position", "count from 0"),
    Case(["add", "P", "red", "--at", "1.5"], "bad-position", "'1.5'"),
    Case(["history", "P", "--limit", "-1"], "bad-value", "'-1'"),
    Case(["convert", "red"], "bad-usage", "needs --to"),
    Case(["completion", "bahs"], "bad-usage", "did you mean 'bash'?"),
    Case(["completion"], "bad-usage", "needs SHELL"),
    Case(["config", "get"], "bad-usage", "takes KEY"),
    Case(["config", "set", "k"], "bad-usage", "takes KEY VALUE"),
    Case(["config", "get", "k", "v"], "bad-usage", "takes KEY"),
    Case(["help", "lits"], "bad-usage", "did you mean 'hued list'?"),
    Case(["lits", "--help"], "bad-usage", "did you mean 'hued list'?"),
    Case(["import", "-", "-"], "bad-usage", "only once"),
    Case(["move", "P", "C", "3"], "bad-usage", "did you mean '--at 3'?"),
    Case(["sort", "P"], "bad-usage", "KEY is hue, lightness, chroma or name"),
    Case(["add", "P", "red", "Deep", "red"], "bad-usage", "in quotes"),
    Case(["list", "P", "--foo"], "bad-usage", "'hued help list'"),
    Case(["list", "P", "-v"], "bad-usage", "'--verbose' or '--version'"),
    Case(["contrast", "-", "-"], "bad-usage", "one of the colors only"),
  ])
  func refuses(_ given: Case) throws {
    let run = TestRun()
    #expect(run.program.run(given.line) == .badInput)
    #expect(run.console.notes.contains(given.part), "\(run.console.notes)")
    #expect(run.console.notes.hasPrefix("hued: "))
    #expect(run.console.output.isEmpty)
    #expect(run.api.requests.isEmpty)

    // The same with --json in front: one JSON document with the stable code.
    let other = TestRun()
    #expect(other.program.run(["--json"] + given.line) == .badInput)
    let error = try JSON(answer: Array(other.console.notes.utf8))["error"]
    #expect(error["code"].stringValue == given.code)
    #expect(error.keys == ["code", "message", "hint"])
    #expect(other.console.notes.count(where: \.isNewline) == 1)
  }
}
