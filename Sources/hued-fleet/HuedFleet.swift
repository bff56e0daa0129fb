import PalettePlatform
import PaletteProgram

/// The command `hued-fleet`.
@main
struct HuedFleet {
  static func main() {
    // Read before they are hidden.
    let words = Array(CommandLine.arguments.dropFirst())
    Machine.hideDatabase()
    StandardStreams.occupyClosed()
    // A reader that has seen enough is told apart by the error of the next write.
    signal(SIGPIPE, SIG_IGN)
    // So is a limit to the size of files, which is as a full disk.
    signal(SIGXFSZ, SIG_IGN)
    let program = FleetProgram(
      variables: Machine.variables,
      asks: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1,
      isOutputTerminal: isatty(STDOUT_FILENO) == 1
    )
    exit(program.run(words).rawValue)
  }
}
