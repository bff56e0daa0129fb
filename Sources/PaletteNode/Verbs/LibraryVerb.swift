/// The commands that are about a library.
enum LibraryVerb: String, CaseIterable {
  case new, palettes, drop, title
  case list, add, set, rename, note, tweak
  case move, remove, restore
  case undo, redo, history, conflicts, resolve
  case `import`, export
  case share, join, leave, peers, token, tokens, revoke, sync
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
    default: .document(try document(call))
    }
  }

  private func document(_ call: LibraryCall) throws -> [UInt8] {
    switch self {
    case .add, .set, .rename, .note, .tweak, .move, .restore, .resolve: try reply(to: call).bytes
    case .share: try SharingVerbs.share(call)
    case .join: try SharingVerbs.join(call)
    case .leave: try SharingVerbs.leave(call)
    case .peers: try SharingVerbs.peers(call)
    case .token: try SharingVerbs.token(call)
    case .tokens: try SharingVerbs.tokens(call)
    case .revoke: try SharingVerbs.revoke(call)
    case .sync: try SharingVerbs.sync(call)
    case .new: try PaletteVerbs.new(call)
    case .palettes: try PaletteVerbs.palettes(call)
    case .drop: try PaletteVerbs.drop(call)
    case .title: try PaletteVerbs.title(call)
    case .list: try OrderVerbs.list(call)
    case .remove: try OrderVerbs.remove(call)
    case .undo: try TimeVerbs.undo(call)
    case .redo: try TimeVerbs.redo(call)
    case .history: try TimeVerbs.history(call)
    case .conflicts: try ConflictVerbs.conflicts(call)
    case .import: try ImportVerb.import(call)
    case .export: try ExportVerb.export(call)
    case .status: try StatusVerb.status(call)
    case .backup: try CareVerbs.backup(call)
    case .recover: try CareVerbs.recover(call)
    case .compact: try CareVerbs.compact(call)
    case .doctor: try DoctorVerb.doctor(call)
    }
  }
}
