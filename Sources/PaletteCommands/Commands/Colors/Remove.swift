internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let remove = Command(
    "remove",
    .colors,
    .edit,
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
  ) { call in
    let arguments = try call.parameters.texts("colors")
    let (store, palette) = try call.editedPalette()
    var records = try store.listedColors(arguments, in: palette.id)
    var edits = records.map { Edit.delete($0) }
    if let seen = try call.seen(of: records, in: palette.id, store) {
      edits = zip(edits, seen).map { $0.seeing($1) }
    }
    var known: Set<RecordID> = []
    edits = edits.filter { known.insert($0.record).inserted }
    try store.act(edits, in: palette.id, by: call.author)
    // What somebody edited meanwhile stays, whole.
    records = try edits.map(\.record).filter { try !store.isListed($0, in: palette.id) }
    return RemovedColors(records: records)
  }
  .planned(
    EditPlan(
      isLong: { try $0.call.parameters.texts("colors").count > EditPlan.shortEdits },
      plan: { subject in
        let (call, store, palette) = (subject.call, subject.store, subject.palette.id)
        let records = try store.listedColors(try call.parameters.texts("colors"), in: palette)
        var seen: [RecordID: SeenValues] = [:]
        if let values = try call.seen(of: records, in: palette, store) {
          for (record, values) in zip(records, values) where seen[record] == nil {
            seen[record] = values
          }
        }
        var known: Set<RecordID> = []
        let removed = records.filter { known.insert($0).inserted }
        let list = try store.colors(of: palette)
        let old = list.map(\.color)
        let diff = try PaletteDiff(from: old, to: old.filter { !known.contains($0.id) })
        return .init(action: LongAction(diff, on: list, seeing: seen), records: removed)
      },
      answer: { subject, planned in
        let listed = Set(try subject.store.colors(of: subject.palette.id).map(\.color.id))
        return RemovedColors(records: planned.records.filter { !listed.contains($0) })
      }
    )
  )
}

/// The colors that are gone.
private struct RemovedColors: ObjectAnswer {
  let records: [RecordID]

  static let fields: [Field<Self>] = [
    Field("removed", "an id") { $0.records.map(\.description) }
  ]
}
