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

  /// The fixed words that an argument can be; empty where it is anything else.
  static func words(for content: Content) -> [String] {
    switch content {
    case .word(let words), .suggestion(let words): words
    case .command: CommandTable.commands.map(\.name)
    case .text, .palette, .color, .file, .path, .secret, .folder, .position, .count, .percent,
      .seconds, .format:
      []
    }
  }
}
