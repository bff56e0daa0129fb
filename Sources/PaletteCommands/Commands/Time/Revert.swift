internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let revert = Command(
    "revert",
    .time,
    .edit,
    view: .changes("Reverted", none: "The palette is as it was then"),
    summary: "Makes a palette what it was at a time, or right after an action",
    details: [
      "Colors that were removed since come back, later ones are removed; colors, names, notes and order are "
        + "what they were. It is one edit, whoever wrote what it takes back, and `hued undo` undoes it. The "
        + "palette keeps its own name."
    ],
    positionals: [.palette],
    flags: [
      Flag(
        "to",
        "TIME|ACTION",
        "ISO 8601, an age such as \"10 minutes ago\", or an action of `hued history --wide`"
      )
    ],
    choices: [Choice(["to"], isRequired: true)],
    examples: [
      .init(
        "hued revert Sunset --to '10 minutes ago'",
        "take back what happened since, whoever did it"
      ),
      .init(
        "hued revert Sunset --to 018bcfe568000000:00000000000000aa",
        "go back to what an action left"
      ),
    ],
    otherNames: ["rollback", "reset", "checkout"]
  ) { call in try reverting.carryOut(call) }
  .asking { try? RevertTarget($0, now: $1).milliseconds }
  .planned(reverting)

  private static let reverting = EditPlan(
    // The past is read from the log.
    isLong: { _ in true },
    plan: { subject in
      let (call, store, palette) = (subject.call, subject.store, subject.palette)
      let target = try RevertTarget(call.parameters, now: call.library.now)
      let past = try target.colors(of: palette, in: store)
      try Limit.checkColors(past.count)
      return .init(action: try store.reverting(palette.id, to: past, as: target.claim))
    },
    answer: { subject, planned in
      let (store, palette, author) = (subject.store, subject.palette, subject.call.author)
      return try store.answer(
        about: planned.action?.outcome ?? UndoOutcome(),
        in: palette,
        by: author
      )
    }
  )
}

/// What a palette is to become again.
enum RevertTarget {
  case moment(Moment)
  case action(ActionID)

  /// Reads the argument `to`.
  init(_ parameters: Parameters, now: Moment) throws {
    if let action = ActionID(try parameters.text("to").trimmed) {
      self = .action(action)
    } else if let moment = try parameters.optionalMoment("to", now: now) {
      self = .moment(moment)
    } else {
      throw APIError.missing("to")
    }
  }

  /// The time that it is about, in milliseconds since 1970.
  var milliseconds: Int64 {
    switch self {
    case .moment(let moment): moment.milliseconds
    case .action(let action): action.stamp.milliseconds
    }
  }

  /// What others are told that the palette was made.
  fileprivate var claim: ActionClaim {
    switch self {
    case .moment(let moment): .revertToTime(moment.milliseconds)
    case .action(let action): .revertToAction(action.stamp, action.node)
    }
  }

  /// The list as it was.
  fileprivate func colors(
    of palette: PaletteSummary,
    in store: ChangeStore
  ) throws -> [NamedColor] {
    let past: PastState
    switch self {
    case .moment(let moment):
      past = try store.state(of: palette.id, atMilliseconds: moment.milliseconds)
    case .action(let action):
      try store.checkHolds(action, in: palette)
      past = try store.state(of: palette.id, after: action)
    }
    let state = try palette.known(past, at: Moment(milliseconds: milliseconds))
    guard state.name != nil, state.isVisible else {
      let reason = state.name == nil ? "did not exist yet" : "was dropped then"
      throw APIError(
        code: "bad-time",
        message: "'\(palette.name)' \(reason) (\(Moment(milliseconds: milliseconds)))",
        hint: "'hued history' lists what was done and when"
      )
    }
    return state.namedColors
  }
}
