import PaletteClient
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteProgram

/// One run of `hued`, from the arguments to the exit code.
struct Program {
  let environment: Environment
  let console: any Console
  /// Creates what answers; called once, and only by commands that need it.
  let makeAPI:
    (LibraryLocation, @escaping (String) -> Void, @escaping ProgressReport)
      throws(APIError) -> any LibraryAPI
  /// Called again and again by long work; throws when the user wants it to end.
  var checkForInterruption: () throws(APIError) -> Void = {}

  /// Shows a line about long work on the terminal; nil where nothing is to be shown.
  var showProgress: (String) -> ProgressLine? = { _ in nil }

  /// Called before anything may take long, with the time limit in seconds.
  var watch: (Double?, ErrorReport) -> Void = { _, _ in }

  /// Shows long output with a pager in place of this program; returns where that fails.
  var page: (String, [UInt8]) -> Void = { _, _ in }

  /// Runs the arguments behind the name of the program.
  func run(_ arguments: [String]) -> ExitCode {
    let asJSON = ArgumentParser.wantsJSON(arguments)
    let columns = environment.columns
    let wrap: @Sendable (String) -> String = { text in
      DisplayWidth.wrapped(text, to: columns, indent: "  ")
    }
    let report = ErrorReport(
      asJSON: asJSON,
      isTerminal: environment.isErrorTerminal,
      wrap: environment.isErrorTerminal ? wrap : nil
    )
    do throws(APIError) {
      let answer = try answer(arguments, asJSON: asJSON, report: report)
      console.writeError(answer.notes)
      return write(answer, report: report)
    } catch {
      console.writeError(report.text(error))
      return ExitCode(errorCode: error.code)
    }
  }

  private func answer(
    _ arguments: [String],
    asJSON: Bool,
    report: ErrorReport
  ) throws(APIError) -> Output {
    switch try ArgumentParser.parse(arguments) {
    case .help(let command):
      let text = HelpText.text(for: command)
      return asJSON ? Self.line(["help": JSON(text)]) : Output(text)
    case .version:
      let version = Release.version
      return asJSON ? Self.line(["version": JSON(version)]) : Output("hued \(version)\n")
    case .run(var invocation):
      try complete(&invocation)
      // A node ends by draining, whatever makes it end, and a screen by giving the terminal back.
      if invocation.command.traits.programPart != .serve, !invocation.hasScreen(environment) {
        watch(invocation.options.timeoutSeconds, report)
      }
      var answer = try CommandRunner(program: self, invocation: invocation).run()
      if environment.isOutputTerminal, environment.isWithoutUnicode {
        answer.output = Array(Glyphs.inASCII(String(decoding: answer.output, as: UTF8.self)).utf8)
      }
      if invocation.pages { page(answer) }
      return answer
    }
  }

  /// Shows with a pager what is longer than the terminal is high.
  ///
  /// One that says no height is a script's, which nobody would ever press a key at.
  private func page(_ answer: Output) {
    guard environment.isOutputTerminal, environment.isInputTerminal, answer.exitCode == .done,
      answer.notes.isEmpty,
      let rows = environment.rows,
      answer.output.count(where: { $0 == UInt8(ascii: "\n") }) >= rows,
      let pager = environment.pager(isInstalled: Pager.isInstalled)
    else { return }
    page(pager, answer.output)
  }

  /// Takes from the settings what no flag says.
  private func complete(_ invocation: inout Invocation) throws(APIError) {
    let location = environment.location(home: invocation.options.home)
    do throws(APIError) {
      let settings = try Configuration(readingFrom: location.configurationFile)
      invocation.options.color = invocation.options.color ?? .init(rawValue: settings.color)
      // A setting for commands that take long is not meant for one that runs on, nor for those that mend it.
      let traits = invocation.command.traits
      guard !traits.runsOn, !traits.worksWithoutSettings else { return }
      invocation.options.timeoutSeconds =
        invocation.options.timeoutSeconds ?? settings.timeoutSeconds
    } catch {
      // These two are how a person finds out what is wrong with the settings.
      guard invocation.command.traits.worksWithoutSettings else { throw error }
    }
  }

  /// A document as the one line that `--json` prints.
  static func line(_ document: JSON) -> Output {
    Output(output: document.bytes + [UInt8(ascii: "\n")])
  }

  private func write(_ answer: Output, report: ErrorReport) -> ExitCode {
    guard !answer.output.isEmpty else { return answer.exitCode }
    do throws(OutputError) {
      try console.write(answer.output)
      return answer.exitCode
    } catch {
      switch error {
      case .closedPipe:
        return answer.exitCode
      case .failed(let reason):
        let message = "the result cannot be written to the standard output: \(reason)"
        console.writeError(report.text(APIError(code: "failed", message: message)))
        return .failed
      }
    }
  }
}
