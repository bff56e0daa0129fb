import PaletteCommands
import PaletteJSON
import PaletteProgram

@testable import hued

extension FuzzTarget {
  static let arguments = FuzzTarget(
    name: "arguments",
    summary: "the arguments of a command line, apart by zero bytes",
    lengthLimit: 512,
    words: CommandTable.commands.flatMap { [$0.name] + $0.flags.map { "--\($0.name)" } }
      + CommandTable.globalFlags.map { "--\($0.name)" } + ["\0", "--", "=", "-1"],
    seeds: {
      [
        "add\0Brand\0tomato\0Ripe\0--at\0" + "0", "--json\0list\0Brand\0--at=10 minutes ago",
        "tweak\0Brand\0Ripe\0--lighter\0" + "5%", "help\0add", "import\0a\0b\0--palette\0X",
        "--version",
        "serve\0--listen\0" + "0.0.0.0:1\0--allow-origin\0a\0--allow-origin\0b",
        "config\0set\0k\0v",
        "move\0a\0b\0--at\0-1", "add\0--\0-x\0--y",
        "share\0Brand\0--role\0viewer\0--expires\0" + "10m",
        "resolve\0a\0b\0name\0c", "compact\0--yes\0--quiet", "join\0hued1-x", "completion\0bash",
      ].map { Array($0.utf8) }
    },
    check: { bytes in
      let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      let asJSON = ArgumentParser.wantsJSON(arguments)
      do throws(APIError) {
        switch try ArgumentParser.parse(arguments) {
        case .help(let command): _ = HelpText.text(for: command)
        case .version: break
        case .run(let invocation): try checkRun(invocation)
        }
      } catch {
        let text = ErrorReport(asJSON: asJSON, isTerminal: true).text(error)
        try ensure(text.hasSuffix("\n") && ExitCode(errorCode: error.code) != .done, "told badly")
        if asJSON { _ = try JSON(answer: Array(text.utf8)) }
      }
    }
  )

  /// As far as it goes before anything outside the process is touched.
  private static func checkRun(_ invocation: Invocation) throws(APIError) {
    var environment = Environment()
    environment.variables = ["HOME": "/nowhere"]
    environment.workingDirectory = "/folder"
    let program = Program(
      environment: environment,
      console: SilentConsole(),
      makeAPI: { _, _, _ throws(APIError) in throw APIError(code: "failed", message: "no library") }
    )
    let runner = CommandRunner(program: program, invocation: invocation)
    _ = environment.location(home: invocation.options.home)
    _ = runner.presentation
    _ = try runner.parameters().text
  }
}

private struct SilentConsole: Console {
  func write(_ bytes: [UInt8]) throws(OutputError) {}
  func writeError(_ text: String) {}
  func readLine() -> String? { nil }
  func readAll(limit: Int) throws(APIError) -> [UInt8] { [] }
}
