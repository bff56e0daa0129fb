internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let history = Command(
    "history",
    .time,
    .read,
    summary: "Lists the changes of a palette, newest first",
    details: [
      "BY is what the author says to be called, NODE the id that the change was made under. When "
        + "piped, each line holds time, kind, id, dot, registers and author."
    ],
    positionals: [.palette],
    flags: [
      Flag("limit", "N", "show this many changes at most", content: .count),
      Flag("before", "DOT", "show only what comes behind this change in the list"),
    ],
    examples: [
      .init("hued history Sunset", "show every change"),
      .init("hued history Sunset --limit 5", "show the newest five"),
      .init(
        "hued history Sunset --limit 5 --before 00000000000000aa:17",
        "show the five behind one"
      ),
    ],
    otherNames: ["log", "changes"],
    remark:
      "where older ones are missing here, a peer is asked first, and since tells from when on "
      + "all are known"
  ) { call in
    let limit = try call.parameters.optionalCount("limit")
    let before = try call.parameters.optionalDot("before")
    return try call.readingPalette { store, palette in
      var names = CachedAuthorNames(call.library, store, in: palette.id)
      let bound = try before.map { try store.change($0, of: palette) }
      let changes = try store.history(of: palette.id, limit: limit, before: bound, edits: true)
      let colors = try store.names(of: Set(changes.map(\.record)), in: palette)
      return HistoryAnswer(
        changes: try changes.map { change in
          ChangeAnswer(
            change: change,
            author: try names.name(of: change.dot.node),
            name: colors[change.record]
          )
        },
        since: try store.historySince(of: palette.id)
      )
    }
  }.reading(.palette)
}

extension ChangeStore {
  /// What colors, or the palette, are called now, or were called last.
  fileprivate func names(
    of records: Set<RecordID>,
    in palette: PaletteSummary
  ) throws -> [RecordID: String] {
    var names: [RecordID: String] = [:]
    // Each by itself is what a few cost; of many, all in one pass is cheaper.
    if records.count > 200 {
      for listed in try colors(of: palette.id) { names[listed.color.id] = listed.color.name }
    }
    for record in records where names[record] == nil {
      names[record] =
        record == palette.id.record
        ? palette.name : try self.record(record, in: palette.id)?.name
    }
    return names
  }

  /// A change that is held.
  fileprivate func change(_ dot: Dot, of palette: PaletteSummary) throws -> Change {
    if let change = try change(dot, of: palette.id) { return change }
    throw APIError(
      code: "not-found",
      message: "no change \(dot) of '\(palette.name)' is held here",
      hint: "it may have been compacted; begin again without 'before'"
    )
  }
}

/// The changes of a palette, newest first.
private struct HistoryAnswer: ObjectAnswer {
  let changes: [ChangeAnswer]
  /// From when on all changes are known; nil when there are no older ones.
  let since: Int64?

  static let fields: [Field<Self>] = [
    Field("changes") { $0.changes }, Field("since", "ISO 8601") { $0.since.map { $0.moment } },
  ]
}

private struct ChangeAnswer: ObjectAnswer {
  let change: Change
  let author: String?
  /// What the color, or the palette, is called now.
  let name: String?

  static let schemaName = "Change"
  static let fields: [Field<Self>] = [
    Field("dot", "node:sequence") { $0.change.dot.description },
    Field("stamp", "16 hexadecimal digits that sort as stamps do") { $0.change.stamp.description },
    Field("time", "ISO 8601") { $0.change.stamp.milliseconds.moment },
    Field("node") { $0.change.dot.node.description },
    Field("author", "what the author is called, a claim") { $0.author },
    Field("kind", words: ["add", "set", "delete", "restore", "drop"]) { $0.change.kind.word },
    Field("id", "a UUID, lower case") { $0.change.record.description },
    Field("name", "what the color, or the palette, is called now") { $0.name },
    Field("registers") { Registers(writes: $0.change.writes) },
  ]
}

/// The values that a change writes, by register.
private struct Registers: JSONRepresentable {
  let writes: [Change.Write]

  static let schema = Schema.map(.text())
  var json: JSON {
    .object(
      JSONObject(
        writes.map {
          JSONObject.Member($0.register.description, .string($0.value.text(of: $0.register)))
        }
      )
    )
  }
}
