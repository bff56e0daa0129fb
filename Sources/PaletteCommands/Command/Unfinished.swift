package import PaletteFormats

/// What is answered to a piece of a call that needs further turns: nothing yet.
package struct Unfinished: Answer {
  /// What is to be done before the next turn, beside whoever carries the piece out; it takes long.
  package let work: (@Sendable () -> Void)?

  package var json: JSON { .null }
  package var bytes: [UInt8] { json.bytes }
}
