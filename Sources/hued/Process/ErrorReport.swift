import PaletteCommands
import PaletteFormats

/// How errors are told: as text, or as one JSON document a line.
struct ErrorReport: Sendable {
  let asJSON: Bool
  let isTerminal: Bool

  /// The text for the standard error.
  func text(_ error: APIError) -> String {
    if asJSON {
      let document: JSON = ["error": error.document]
      return document.text + "\n"
    }
    var text = "hued: \(error.message)\n"
    if let hint = error.hint { text += "hint: \(hint)\n" }
    return isTerminal ? SafeText.message(text) : text
  }
}
