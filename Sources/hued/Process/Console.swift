import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteModel
import PaletteProgram

/// The three standard streams.
protocol Console {
  /// Writes to the standard output.
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// Writes to the standard error; that it fails cannot be told to anybody.
  func writeError(_ text: String)
  /// Reads an answer from the standard input; nil at its end.
  func readLine() -> String?
  /// Reads the whole standard input, at most so many bytes.
  func readAll(limit: Int) throws(APIError) -> [UInt8]
}

/// The output of a command, once the API has answered.
struct Output {
  /// Bytes for the standard output.
  var output: [UInt8]
  /// Text for the standard error.
  var notes = ""
  var exitCode = ExitCode.done

  init(output: [UInt8], notes: String = "", exitCode: ExitCode = .done) {
    self.output = output
    self.notes = notes
    self.exitCode = exitCode
  }

  init(_ text: String, notes: String = "") {
    self.init(output: Array(text.utf8), notes: notes)
  }
}
