import PaletteCommands

/// The shells that a completion script can be made for.
enum Completion: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script, to be sourced by the shell.
  var script: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }

  /// The command of a shell that prints what an argument can be, a line each; nil where that depends on
  /// the argument before, or is not known.
  ///
  /// Each script has a function `__hued_ask` that asks `hued` about the folder that was typed.
  static func lines(for content: Content) -> String? {
    switch content {
    case .palette: "__hued_ask palettes | cut -f1"
    case .readFormat: "__hued_ask formats | cut -f1,4 | grep reads | cut -f1"
    case .writtenFormat: "__hued_ask formats | cut -f1,5 | grep writes | cut -f1"
    // The ids of tokens, then the names of their members.
    case .member: #"__hued_ask tokens | cut -f1,9 | tr '\t' '\n' | sort -u"#
    case .peer: "__hued_ask peers | cut -f1 | grep ://"
    case .text, .css, .color, .file, .path, .secret, .folder, .position, .count, .percent, .seconds,
      .word, .suggestion, .command:
      nil
    }
  }

  /// The fixed words that an argument can be; empty where it is anything else.
  static func words(for content: Content) -> [String] {
    switch content {
    case .word(let words), .suggestion(let words): words
    case .command: CommandTable.commands.map(\.name)
    case .text, .css, .palette, .color, .file, .path, .secret, .folder, .position, .count, .percent,
      .seconds, .readFormat, .writtenFormat, .member, .peer:
      []
    }
  }
}
