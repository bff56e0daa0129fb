import PaletteCommands

extension CommandRunner {
  /// Whether somebody is asked, and can answer.
  var asks: Bool {
    !options.yes && environment.isInputTerminal && environment.isErrorTerminal
  }

  /// Asks on a terminal; elsewhere only `--yes` will do.
  func confirm(_ question: String) throws(APIError) {
    guard !options.yes else { return }
    guard asks else {
      throw APIError(
        code: "needs-confirmation",
        message: "'hued \(invocation.command.name)' needs confirmation: \(question)",
        hint: "add --yes, or run it on a terminal"
      )
    }
    program.console.note("\(question) [y/N] ")
    let answer = program.console.readLine()?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw APIError(code: "failed", message: "not confirmed, so nothing was done")
    }
  }

  /// Asks before a file is replaced; what is no regular file, such as a device, holds nothing.
  func confirmReplacing(_ path: String) throws(APIError) {
    guard File.isRegular(path) else { return }
    try confirm("Replace '\(SafeText.line(path))'?")
  }
}
