/// The content of an argument: how it is checked, sent to the API and completed by a shell.
package enum Content: Equatable, Sendable {
  /// Anything; sent as text.
  case text
  /// The name or id prefix of a palette.
  case palette
  /// The name or id prefix of a color in the palette given before.
  case color
  /// A color as CSS writes it; sent as text.
  case css
  /// A path that is used where it is given; a shell completes it.
  case file
  /// A path that is sent to whoever has the library; a shell completes it.
  case path
  /// A text that others should not see; - reads it from the standard input.
  case secret
  /// A folder; a shell completes it.
  case folder
  /// A place in a palette, counted from 0; sent as a number.
  case position
  /// A number of things; sent as a number.
  case count
  /// Percentage points; sent as a number.
  case percent
  /// A duration in seconds.
  case seconds
  /// The name of a file format that is read.
  case readFormat
  /// The name of a file format that is written.
  case writtenFormat
  /// One of a few words; anything else is refused.
  case word([String])
  /// One of a few words that the API knows; only a shell looks at them.
  case suggestion([String])
  /// The name of a command.
  case command
  /// The id of a token, or a member by its id or name.
  case member
  /// The URL of a peer, or a part of it.
  case peer
}
