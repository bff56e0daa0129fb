internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let undo = Command(
    "undo",
    .time,
    .edit,
    view: .changes("Undid", none: "Nothing to undo"),
    summary: "Takes back the last edit made here",
    details: [
      "Only edits of this library are undone, and only where nobody has written since. A whole "
        + "import is one edit. With nothing to undo it does nothing. That a palette was renamed, "
        + "dropped or restored is not among the edits: 'title', 'restore' and 'drop' change it back."
    ],
    positionals: [.palette],
    examples: [.init("hued undo Sunset", "take back the last edit of the palette")],
    otherNames: ["back"]
  ) { call in try undoing.carryOut(call) }
  .planned(undoing)

  package static let redo = Command(
    "redo",
    .time,
    .edit,
    view: .changes("Made again", none: "Nothing to redo"),
    summary: "Makes an undone edit again",
    positionals: [.palette],
    examples: [.init("hued redo Sunset", "make the edit again that was undone last")]
  ) { call in try redoing.carryOut(call) }
  .planned(redoing)

  private static let undoing = undoing(isRedo: false)
  private static let redoing = undoing(isRedo: true)

  /// About the bytes of so many steps of an action.
  private static let shortBytes = 16 << 10

  /// Undoes the newest action, or makes the one again that was undone last.
  private static func undoing(isRedo: Bool) -> EditPlan<UndoAnswer> {
    EditPlan(
      isLong: { subject in
        let (store, palette, author) = (subject.store, subject.palette.id, subject.call.author)
        let bytes = try store.undoableBytes(in: palette, by: author, isRedo: isRedo)
        guard bytes <= shortBytes else { return true }
        // An import is one short step.
        let action = try store.undoing(in: palette, by: author, isRedo: isRedo)
        return action?.count ?? 0 > EditSubject.shortEdits
      },
      plan: { subject in
        let (store, palette, author) = (subject.store, subject.palette.id, subject.call.author)
        return .init(action: try store.undoing(in: palette, by: author, isRedo: isRedo))
      },
      answer: { subject, planned in
        let (store, palette, author) = (subject.store, subject.palette, subject.call.author)
        return try store.answer(about: planned.action?.outcome, in: palette, by: author)
      }
    )
  }
}
