/// What a command leads to, once the API has answered.
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
