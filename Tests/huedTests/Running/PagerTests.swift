import Testing

@testable import hued

/// When long output goes through a pager.
struct PagerTests {
  private static let long =
    #"{"changes":["# + Array(repeating: #"{"kind":"set"}"#, count: 40).joined(separator: ",") + "]}"

  /// The pager that a line is shown with; nil where it goes to the terminal itself.
  private func pager(
    _ line: [String],
    _ change: (inout TestRun) -> Void = { _ in }
  ) -> String? {
    var run = TestRun.onTerminal(Self.long)
    run.environment.variables["PAGER"] = "more"
    run.environment.rows = 24
    change(&run)
    var shown: String?
    var program = run.program
    program.page = { pager, bytes in if !bytes.isEmpty { shown = pager } }
    _ = program.run(line)
    return shown
  }

  @Test func showsLongOutputWithThePager() {
    #expect(pager(["history", "P"]) == "more")
  }

  @Test func leavesAloneWhatFitsAndWhatIsNotForPeople() {
    #expect(pager(["history", "P"]) { $0.environment.rows = 100 } == nil)
    #expect(pager(["history", "P"]) { $0.environment.isOutputTerminal = false } == nil)
    #expect(pager(["history", "P"]) { $0.environment.rows = nil } == nil)
    #expect(pager(["history", "P", "--json"]) == nil)
  }

  @Test(arguments: ["", "cat"])
  func meansNoneByCatAndEmpty(_ pager: String) {
    #expect(self.pager(["history", "P"]) { $0.environment.variables["PAGER"] = pager } == nil)
    #expect(self.pager(["history", "P", "--no-pager"]) == nil)
  }

  @Test func usesLessWhereItIsInstalled() {
    var environment = Environment()
    environment.variables = ["PATH": "/a:/b", "TERM": "xterm"]
    #expect(environment.pager { $0 == "/b/less" } == "less")
    #expect(environment.pager { _ in false } == nil)
    environment.variables["TERM"] = "dumb"
    #expect(environment.pager { _ in true } == nil)
  }
}
