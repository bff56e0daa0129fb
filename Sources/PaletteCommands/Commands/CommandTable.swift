/// All commands, in the order in which they are listed.
package enum CommandTable {
  package static let all: [Command] = [
    .new, .palettes, .drop, .title,
    .list, .add, .set, .rename, .note, .tweak, .move, .remove, .restore, .sort, .act,
    .undo, .redo, .history, .revert, .conflicts, .resolve,
    .import, .export, .link, .unlink, .links, .formats,
    .color, .convert, .contrast, .nearestName,
    .mix, .ramp, .harmony, .distinct, .simulate, .pick,
    .serve, .watch, .edit, .paletteWatch, .paletteUnwatch, .palettePresent, .libraryWatch,
    .share, .join, .leave, .open, .peers, .token, .tokens, .revoke, .whoami,
    .sync,
    .status, .backup, .recover, .compact, .doctor, .config, .completion, .man, .help,
  ]

  /// Those of the command line.
  package static let commands = all.filter { $0.effect != .connection && !$0.isOfAPIAlone }

  /// Those that a node answers.
  package static let methods = all.filter { $0.access != nil }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The command with a name.
  package static func command(named name: String) -> Command? { byName[name] }
}
