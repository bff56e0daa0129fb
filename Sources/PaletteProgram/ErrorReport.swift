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
  /// Breaks a text into lines for a terminal, each with its end; nil where that is left to the reader.
  private let wrap: (@Sendable (String) -> String)?
  private let asJSON: Bool
  private let isTerminal: Bool

  /// Describes the form.
  ///
  /// - Parameters:
  ///   - asJSON: True where a program reads them.
  ///   - isTerminal: True where they are shown on a terminal.
  ///   - program: The name with which a text begins.
  ///   - wrap: Breaks a text into lines, each with its end; nil for one line, however long.
  package init(
    asJSON: Bool,
    isTerminal: Bool,
    program: String = "hued",
    wrap: (@Sendable (String) -> String)? = nil
  ) {
    self.program = program
    self.wrap = wrap
    self.asJSON = asJSON
    self.isTerminal = isTerminal
  }

  /// The text for the standard error.
  package func text(_ error: APIError) -> String {
    if asJSON {
      let document: JSON = ["error": error.document]
      return document.text + "\n"
    }
    let wrap = wrap ?? { $0 + "\n" }
    var text = wrap("\(program): \(error.message)")
    if let hint = error.hint { text += wrap("hint: \(hint)") }
    return isTerminal ? SafeText.message(text) : text
  }
}
