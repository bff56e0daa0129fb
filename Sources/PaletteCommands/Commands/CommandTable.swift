/// All commands, in the order in which they are listed.
package enum CommandTable {
  /// The commands by their names: each is made when it is asked for.
  private static let entries: [(name: String, command: @Sendable () -> Command)] = [
    ("new", { .new }),
    ("palettes", { .palettes }),
    ("drop", { .drop }),
    ("title", { .title }),
    ("list", { .list }),
    ("add", { .add }),
    ("set", { .set }),
    ("rename", { .rename }),
    ("note", { .note }),
    ("tweak", { .tweak }),
    ("move", { .move }),
    ("remove", { .remove }),
    ("restore", { .restore }),
    ("sort", { .sort }),
    ("act", { .act }),
    ("undo", { .undo }),
    ("redo", { .redo }),
    ("history", { .history }),
    ("revert", { .revert }),
    ("conflicts", { .conflicts }),
    ("resolve", { .resolve }),
    ("import", { .import }),
    ("export", { .export }),
    ("link", { .link }),
    ("unlink", { .unlink }),
    ("links", { .links }),
    ("formats", { .formats }),
    ("color", { .color }),
    ("convert", { .convert }),
    ("contrast", { .contrast }),
    ("name", { .nearestName }),
    ("mix", { .mix }),
    ("ramp", { .ramp }),
    ("harmony", { .harmony }),
    ("distinct", { .distinct }),
    ("simulate", { .simulate }),
    ("pick", { .pick }),
    ("lighten", { .lighten }),
    ("darken", { .darken }),
    ("saturate", { .saturate }),
    ("desaturate", { .desaturate }),
    ("rotate", { .rotate }),
    ("complement", { .complement }),
    ("textcolor", { .textcolor }),
    ("random", { .random }),
    ("colors", { .colors }),
    ("paint", { .paint }),
    ("serve", { .serve }),
    ("watch", { .watch }),
    ("edit", { .edit }),
    ("palette.watch", { .paletteWatch }),
    ("palette.unwatch", { .paletteUnwatch }),
    ("palette.present", { .palettePresent }),
    ("library.watch", { .libraryWatch }),
    ("share", { .share }),
    ("join", { .join }),
    ("leave", { .leave }),
    ("open", { .open }),
    ("peers", { .peers }),
    ("token", { .token }),
    ("tokens", { .tokens }),
    ("revoke", { .revoke }),
    ("whoami", { .whoami }),
    ("introduce", { .introduce }),
    ("sync", { .sync }),
    ("status", { .status }),
    ("backup", { .backup }),
    ("recover", { .recover }),
    ("compact", { .compact }),
    ("doctor", { .doctor }),
    ("config", { .config }),
    ("completion", { .completion }),
    ("man", { .man }),
    ("help", { .help }),
  ]

  /// All of them, made.
  package static let all = entries.map { $0.command() }

  /// Those of the command line.
  package static let commands = all.filter { $0.effect != .connection && !$0.traits.isOfAPIAlone }

  /// Those that a node answers.
  package static let methods = all.filter { $0.access != nil }

  private static let byName = Dictionary(
    uniqueKeysWithValues: entries.map { ($0.name, $0.command) }
  )

  /// The command with a name.
  package static func command(named name: String) -> Command? { byName[name]?() }
}
