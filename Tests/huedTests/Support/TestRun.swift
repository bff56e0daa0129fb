import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteProgram

@testable import hued

/// One run of the program with a canned answer.
struct TestRun {
  let console = RecordingConsole()
  let api: CannedAPI
  var environment = Environment()

  init(_ answer: String = "{}", error: APIError? = nil) {
    api = CannedAPI(answer, error: error)
    environment.variables = ["HOME": "/home/user", "TERM": "xterm-256color"]
    environment.workingDirectory = "/folder"
  }

  /// The same on a terminal with all colors.
  static func onTerminal(_ answer: String = "{}", error: APIError? = nil) -> TestRun {
    var run = TestRun(answer, error: error)
    run.environment.isInputTerminal = true
    run.environment.isOutputTerminal = true
    run.environment.isErrorTerminal = true
    run.environment.variables["COLORTERM"] = "truecolor"
    return run
  }

  @discardableResult
  func run(_ arguments: String...) -> ExitCode {
    program.run(arguments)
  }

  /// The only request's parameters, as JSON.
  var parameters: String? { api.requests.count == 1 ? api.requests[0].parameters.text : nil }
}

extension TestRun {
  var program: Program {
    Program(
      environment: environment,
      console: console,
      makeAPI: { location, _, _ in
        api.location = location
        return api
      }
    )
  }
}
