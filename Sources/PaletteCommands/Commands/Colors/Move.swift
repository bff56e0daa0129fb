internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let move = Command(
    "move",
    .colors,
    .edit,
    view: .record("Moved"),
    summary: "Moves a color to another position",
    positionals: [.palette, .color],
    flags: [.at("0 to the number of colors less one, as it is afterwards"), .before, .after],
    choices: [Choice(["at", "before", "after"], isRequired: true)],
    examples: [
      .init("hued move Sunset Orange --at 0", "make it the first"),
      .init("hued move Sunset Orange --before Clay", "put it before another"),
    ],
    otherNames: ["mv", "reorder"],
    more: [.seen]
  ) { call in try moving.carryOut(call) }
  .planned(moving)

  private static let moving = EditPlan<RecordAnswer>(
    // The list is read.
    isLong: { $0.palette.count > 5 * EditSubject.shortColors },
    plan: { subject in
      let (call, store, palette) = (subject.call, subject.store, subject.palette.id)
      let argument = try call.parameters.text("color")
      guard let position = try Position(call.parameters) else {
        throw APIError(code: "bad-usage", message: "one of at, before and after is needed")
      }
      let list = try store.colors(of: palette)
      let start = try list.index(named: argument)
      let end = try position.indexAfterMoving(from: start, in: list)
      let record = list[start].color.id
      let seen = try call.seen(of: record, in: palette, store)
      let action = LongAction(movingFrom: start, to: end, in: list, seeing: seen)
      return .init(action: action, records: [record])
    },
    answer: { subject, planned in
      try subject.store.answer(about: planned.records[0], in: subject.palette.id)
    }
  )
}
