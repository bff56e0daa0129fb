import PalettePlatform
import PaletteProgram

/// The command `hued-fleet`.
@main
struct HuedFleet {
  static func main() {
    // Read before they are hidden.
    let words = Array(CommandLine.arguments.dropFirst())
    Machine.hideDatabase()
    StandardStreams.prepare()
    let program = FleetProgram(
      variables: Machine.variables,
      asks: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1,
      isOutputTerminal: isatty(STDOUT_FILENO) == 1
    )
    exit(program.run(words).rawValue)
  }
}
