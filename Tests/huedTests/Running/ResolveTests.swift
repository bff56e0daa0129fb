import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

/// `resolve` without a value, in front of somebody.
struct ResolveTests {
  private static let conflicts = """
    {"conflicts":[{"palette":"p","id":"abcd1234-0000-4000-8000-000000000000","name":"Sky",\
    "register":"color","values":[{"value":"#4ba3f7","node":"a","author":"Ann","stamp":\
    "0000000f42400000","shown":true},{"value":"red","node":"b","author":null,"stamp":\
    "0000000f42400000","shown":false}]}]}
    """

  private static func run(_ answers: [String]) -> TestRun {
    let run = TestRun.onTerminal(conflicts)
    run.console.answers = answers
    return run
  }

  private static func chosen(_ run: TestRun) -> String? {
    let request = run.api.requests.last
    guard run.api.requests.count == 2, request?.method == "resolve" else { return nil }
    return request?.parameters["value"].stringValue
  }

  @Test(arguments: [([""], "#4ba3f7"), (["1"], "#4ba3f7"), (["x", "3", " 2 "], "red")])
  func keepsWhatIsChosen(answers: [String], value: String) {
    let run = Self.run(answers)
    #expect(run.run("resolve", "Brand", "Sky") == .done)
    #expect(Self.chosen(run) == value)
    #expect(run.api.requests[1].parameters["register"] == "color")
    #expect(run.console.notes.contains("Sky") && run.console.notes.contains("Ann"))
  }

  @Test(arguments: [["q"], ["Q"], []])
  func leavesWhatNobodyDecides(answers: [String]) {
    let run = Self.run(answers)
    #expect(run.run("resolve", "Brand", "abcd", "color") == .done)
    #expect(run.api.requests.map(\.method) == ["conflicts"])
    #expect(run.console.notes.hasSuffix("hued: left as it is\n"))
  }

  /// What is no conflict is left to the command, which says what is wrong.
  @Test func asksNothingWithoutAConflict() {
    let run = Self.run([])
    run.run("resolve", "Brand", "Sea")
    #expect(run.api.requests.map(\.method) == ["conflicts", "resolve"])
    #expect(run.api.requests[1].parameters["value"].isNull)
  }

  @Test func asksNobodyElsewhere() {
    let run = TestRun(Self.conflicts)
    run.run("resolve", "Brand", "Sky")
    #expect(run.api.requests.map(\.method) == ["resolve"])
    let json = TestRun.onTerminal(Self.conflicts)
    json.run("resolve", "Brand", "Sky", "--json")
    #expect(json.api.requests.map(\.method) == ["resolve"])
  }
}
