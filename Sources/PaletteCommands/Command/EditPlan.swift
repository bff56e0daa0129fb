internal import PaletteModel
internal import PaletteStore

/// An edit of many colors of one palette: found out, written and answered each for itself.
///
/// A node plans and answers long ones beside its loop, and writes them between others' edits; short ones,
/// and all of them where no node runs, are carried out at once.
struct EditPlan<Result: Answer>: Sendable {
  /// Returns whether it takes so long that others would wait.
  let isLong: @Sendable (EditSubject) throws -> Bool
  /// Finds out what is to be done; it only reads.
  let plan: @Sendable (EditSubject) throws -> PlannedEdit
  /// The answer once all is done; it only reads.
  let answer: @Sendable (EditSubject, PlannedEdit) throws -> Result

  /// Carries all of it out at once.
  func carryOut(_ call: LibraryCall) throws -> Result {
    let (store, palette) = try call.editedPalette()
    let subject = EditSubject(call: call, store: store, palette: palette)
    var planned = try plan(subject)
    if var action = planned.action {
      try store.write(as: call.author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette.id) else { return }
        try action.write(in: writer, atMost: nil)
      }
      planned.action = action
    }
    return try answer(subject, planned)
  }
}

/// A call that edits many colors, with the palette that it is about, as a store has it.
struct EditSubject {
  /// The number of edits that hold up nobody.
  static let shortEdits = 500
  /// The number of colors that are read and written back without holding up anybody.
  static let shortColors = 2_000

  let call: LibraryCall
  let store: ChangeStore
  let palette: PaletteSummary
}

/// The outcome of finding out what an edit of many colors is to do.
struct PlannedEdit: Sendable {
  /// The action; nil where there is nothing to do.
  var action: LongAction?
  /// The colors that the answer is about, where the action does not tell.
  var records: [RecordID] = []
}
