internal import PaletteModel
internal import PaletteStore

extension LibraryCall {
  /// What an edit is answered that was made before, where its answer was too long to be kept.
  private static let repeated = Array(#"{"repeated":true}"#.utf8)

  /// Answers the call; an edit that the caller has made before is not made again.
  func reply(to verb: LibraryVerb) throws -> Reply {
    guard verb.isEdit, let edit = try parameters.optionalID("edit"),
      let store = try verb.makesLibraries ? library.creating() : library.editing()
    else { return try verb.reply(to: self) }
    if let answer = try store.answer(toEdit: edit, by: author) {
      return .document(answer.isEmpty ? Self.repeated : answer)
    }
    return .document(try store.remember(edit, by: author) { try verb.reply(to: self).bytes })
  }
}

extension LibraryVerb {
  /// Whether it changes a palette.
  fileprivate var isEdit: Bool {
    switch self {
    case .new, .drop, .title, .add, .set, .rename, .note, .tweak, .move, .remove, .restore, .undo,
      .redo, .resolve, .import:
      true
    default: false
    }
  }

  /// Whether it makes a library where there is none.
  fileprivate var makesLibraries: Bool { self == .new || self == .import }
}
