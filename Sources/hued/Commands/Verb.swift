/// The commands by name; a command that the API answers has the same name there, as its method.
enum Verb: String, CaseIterable {
  case new, palettes, drop, title
  case list, add, set, rename, note, move, remove, restore, tweak
  case undo, redo, history, conflicts, resolve
  case `import`, export, formats
  case color, convert, contrast, name
  case serve, watch
  case share, join, leave, open, peers, token, tokens, revoke, sync
  case status, backup, recover, compact, doctor, config, completion, man, help
}
