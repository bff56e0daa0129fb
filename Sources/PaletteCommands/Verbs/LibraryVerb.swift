/// The commands that are about a library.
enum LibraryVerb: String, CaseIterable {
  case new, palettes, drop, title
  case list, add, set, rename, note, tweak
  case move, remove, restore
  case undo, redo, history, conflicts, resolve
  case `import`, export
  case share, join, leave, open, peers, token, tokens, revoke, sync
  case status, backup, recover, compact, doctor

  /// Answers one call.
  func reply(to call: LibraryCall) throws -> Reply {
    switch self {
    case .add: try OrderVerbs.add(call)
    case .set: try ColorRecordVerbs.set(call)
    case .rename: try ColorRecordVerbs.rename(call)
    case .note: try ColorRecordVerbs.note(call)
    case .tweak: try ColorRecordVerbs.tweak(call)
    case .move: try OrderVerbs.move(call)
    case .restore: try OrderVerbs.restore(call)
    case .resolve: try ConflictVerbs.resolve(call)
    case .share: .document(try SharingVerbs.share(call))
    case .join: .document(try SharingVerbs.join(call))
    case .leave: .document(try SharingVerbs.leave(call))
    case .open: .document(try SharingVerbs.open(call))
    case .peers: .document(try SharingVerbs.peers(call))
    case .token: .document(try SharingVerbs.token(call))
    case .tokens: .document(try SharingVerbs.tokens(call))
    case .revoke: .document(try SharingVerbs.revoke(call))
    case .sync: .document(try SharingVerbs.sync(call))
    case .new: .document(try PaletteVerbs.new(call))
    case .palettes: .document(try PaletteVerbs.palettes(call))
    case .drop: .document(try PaletteVerbs.drop(call))
    case .title: .document(try PaletteVerbs.title(call))
    case .list: .document(try OrderVerbs.list(call))
    case .remove: .document(try OrderVerbs.remove(call))
    case .undo: .document(try TimeVerbs.undo(call))
    case .redo: .document(try TimeVerbs.redo(call))
    case .history: .document(try TimeVerbs.history(call))
    case .conflicts: .document(try ConflictVerbs.conflicts(call))
    case .import: .document(try ImportVerb.import(call))
    case .export: .document(try ExportVerb.export(call))
    case .status: .document(try StatusVerb.status(call))
    case .backup: .document(try CareVerbs.backup(call))
    case .recover: .document(try CareVerbs.recover(call))
    case .compact: .document(try CareVerbs.compact(call))
    case .doctor: .document(try DoctorVerb.doctor(call))
    }
  }
}
