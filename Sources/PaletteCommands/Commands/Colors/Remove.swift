internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let remove = Command(
    "remove",
    .colors,
    .edit,
    view: .removedColors,
    summary: "Removes colors from a palette",
    details: [
      "When one of the colors cannot be found, none is removed. `hued restore` brings a removed "
        + "color back."
    ],
    positionals: [
      .palette,
      Positional(
        "COLOR",
        as: "colors",
        "a color: its exact name, or 4 or more characters of its id",
        need: .repeated,
        content: .color
      ),
    ],
    examples: [
      .init("hued remove Sunset Orange", "remove one color"),
      .init("hued remove Sunset Orange Clay", "remove two in one step"),
    ],
    otherNames: ["rm", "delete", "del"],
    remark: "what others edited since 'seen' stays, and is not in 'removed'",
    more: [
      Parameter(
        "seen",
        .either([.text(), .list(.text())]),
        "as in 'set'; of several, one for each"
      )
      .optional
    ]
  ) { call in try removal.carryOut(call) }
  .planned(removal)

  private static let removal = EditPlan(
    isLong: { try $0.call.parameters.texts("colors").count > EditSubject.shortEdits },
    plan: { subject in
      let (call, store, palette) = (subject.call, subject.store, subject.palette.id)
      let records = try store.listedColors(try call.parameters.texts("colors"), in: palette)
      var edits = records.map { Edit.delete($0) }
      if let seen = try call.seen(of: records, in: palette, store) {
        edits = zip(edits, seen).map { $0.seeing($1) }
      }
      var known: Set<RecordID> = []
      edits = edits.filter { known.insert($0.record).inserted }
      return .init(action: LongAction(edits), records: edits.map(\.record))
    },
    answer: { subject, planned in
      // What somebody edited meanwhile stays, whole.
      let records = try planned.records.filter {
        try !subject.store.isListed($0, in: subject.palette.id)
      }
      return RemovedColors(records: records)
    }
  )
}

/// The colors that are gone.
package struct RemovedColors: ObjectAnswer {
  let records: [RecordID]

  package static let fields: [Field<Self>] = [
    Field("removed", "an id") { $0.records.map(\.description) }
  ]
}

extension Received where Form == RemovedColors {
  package var ids: [String] { texts("removed") }
}
