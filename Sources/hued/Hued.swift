import PaletteClient
import PaletteCommands
import PalettePlatform
import PaletteProgram

/// The command `hued`.
package enum Hued {
  /// Carries out what the arguments of the process ask for, and exits.
  package static func main() {
    StandardStreams.prepare()
    let program = Program(
      environment: .current,
      console: SystemConsole(),
      makeAPI: { location, note, progress in
        LibraryClient(at: location, note: note, progress: progress)
      },
      checkForInterruption: Interruption.check,
      showProgress: SystemConsole.progressLine(of:),
      watch: ProcessWatchdog.start(timeoutSeconds:report:),
      page: Pager.become(_:showing:)
    )
    do throws(APIError) {
      let arguments = try ProcessArguments.read()
      if arguments.first == "fleet" { throw FleetLauncher.become(Array(arguments.dropFirst())) }
      exit(program.run(arguments).rawValue)
    } catch {
      let asJSON = ProcessArguments.askForJSON
      let report = ErrorReport(asJSON: asJSON, isTerminal: false)
      SystemConsole().writeError(report.text(error))
      exit(ExitCode(errorCode: error.code).rawValue)
    }
  }
}
