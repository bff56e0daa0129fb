package import PaletteCommands
internal import PaletteJSON
internal import PaletteModel

/// The reason why the standard output accepts no more.
package enum OutputError: Error, Equatable {
  /// The reader has seen enough, as `head` does.
  case closedPipe
  case failed(String)
}

/// The form of errors: as text, or as one JSON document a line.
package struct ErrorReport: Sendable {
  private let program: String
  private let asJSON: Bool
  private let isTerminal: Bool

  /// Describes the form.
  ///
  /// - Parameters:
  ///   - asJSON: True where a program reads them.
  ///   - isTerminal: True where they are shown on a terminal.
  ///   - program: The name with which a text begins.
  package init(asJSON: Bool, isTerminal: Bool, program: String = "hued") {
    self.program = program
    self.asJSON = asJSON
    self.isTerminal = isTerminal
  }

  /// The text for the standard error.
  package func text(_ error: APIError) -> String {
    if asJSON {
      let document: JSON = ["error": error.document]
      return document.text + "\n"
    }
    var text = "\(program): \(error.message)\n"
    if let hint = error.hint { text += "hint: \(hint)\n" }
    return isTerminal ? SafeText.message(text) : text
  }
}
