internal import PaletteFormats
package import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let history = Command(
    "history",
    .time,
    .read,
    view: .history,
    summary: "Lists what was done in a palette, newest first",
    details: [
      "What one command or one gesture did is one action; every library that has its changes groups them "
        + "alike. BY is what the author says to be called, with (namesake) where another library used that name "
        + "first in the palette. Kind and words are made from what the changes did; "
        + "what an author says beside them counts only where it fits.",
      "--changes lists each change with the registers that it set. When piped, each line holds time, kind, "
        + "summary, action and author, or with --changes time, kind, id, dot, registers and author. With "
        + "--json it lists changes unless --actions is there.",
      "A palette that was dropped is named by its whole id.",
    ],
    positionals: [.palette],
    flags: [
      Flag("actions", nil, "list actions, with --json too"),
      Flag("changes", nil, "list single changes"),
      Flag("limit", "N", "show this many at most", content: .count),
      Flag(
        "before",
        "ACTION",
        "show only what comes behind this action in the list, or behind this dot in that of changes"
      ),
    ],
    choices: [Choice(["actions", "changes"])],
    examples: [
      .init("hued history Sunset", "show all that was done"),
      .init("hued history Sunset --limit 5", "show the newest five"),
      .init("hued history Sunset --changes", "show every change by itself"),
      .init(
        "hued history Sunset --changes --before 00000000000000aa:17",
        "show the changes behind one"
      ),
    ],
    otherNames: ["log", "changes", "actions"],
    remark:
      "where older ones are missing here, a peer is asked first, and since tells from when on "
      + "all are known"
  ) { call in
    if call.parameters.isSet("actions") { return HistoryPage.actions(try call.actions()) }
    let limit = try call.parameters.optionalCount("limit")
    let before = try call.parameters.optionalDot("before")
    return try call.readingPalette(orDropped: true) { store, palette in
      var names = CachedAuthorNames(call.library, store, in: palette.id)
      var namesakes = try Namesakes(store, in: palette.id)
      let bound = try before.map { try store.change($0, of: palette) }
      let changes = try store.history(of: palette.id, limit: limit, before: bound, edits: true)
      let colors = try store.names(of: Set(changes.map(\.record)), in: palette)
      return .changes(
        HistoryAnswer(
          changes: try changes.map { change in
            let author = try names.name(of: change.dot.node)
            return ChangeAnswer(
              change: change,
              author: author,
              isNamesake: try namesakes.contains(change.dot.node, called: author),
              name: colors[change.record]
            )
          },
          since: try store.historySince(of: palette.id)
        )
      )
    }
  }.reading(.palette)
    .with(\.isPaged)
    .with(\.programPart, .history)
    .asking { _, _ in .min }
}

/// What a history answers: actions, or changes.
package enum HistoryPage: Answer, JSONRepresentable {
  case actions(ActionsAnswer)
  case changes(HistoryAnswer)

  package static let schema = Schema.named(
    "History",
    .either([HistoryAnswer.schema, ActionsAnswer.schema])
  )

  package var json: JSON {
    switch self {
    case .actions(let answer): answer.json
    case .changes(let answer): answer.json
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .actions(let answer): answer.bytes
    case .changes(let answer): answer.bytes
    }
  }
}

extension ChangeStore {
  /// The present names of colors, or of the palette; the last name if it is gone.
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
package struct HistoryAnswer: ObjectAnswer {
  let changes: [ChangeAnswer]
  /// From when on all changes are known; nil when there are no older ones.
  let since: Int64?

  package static let fields: [Field<Self>] = [
    Field("changes") { $0.changes }, Field("since", "ISO 8601") { $0.since.map { $0.moment } },
  ]
}

package struct ChangeAnswer: ObjectAnswer {
  let change: Change
  let author: String?
  /// Whether another library used the author's name first.
  let isNamesake: Bool
  /// The present name of the color, or of the palette.
  let name: String?

  package static let schemaName = "Change"
  package static let fields: [Field<Self>] = [
    Field("dot", "node:sequence") { $0.change.dot.description },
    Field("stamp", "16 hexadecimal digits that sort as stamps do") { $0.change.stamp.description },
    Field("time", "ISO 8601") { $0.change.stamp.milliseconds.moment },
    Field("node") { $0.change.dot.node.description },
    Field("author", "what the author is called, a claim") { $0.author },
    Field(whereKnown: "namesake", "true where another library used the name of the author first") {
      $0.isNamesake ? true : nil
    },
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

extension Received where Form == HistoryPage {
  /// The actions; nil for a list of changes.
  package var actions: [Received<ActionAnswer>]? { has("actions") ? parts("actions") : nil }
  package var changes: [Received<ChangeAnswer>] { parts("changes") }
  package var since: String? { optionalText("since") }
}

extension Received where Form == ChangeAnswer {
  package var dot: String { text("dot") }
  package var time: String { text("time") }
  package var node: String { text("node") }
  package var author: String { text("author") }
  package var isNamesake: Bool { isSet("namesake") }
  package var kind: String { text("kind") }
  package var id: String { text("id") }
  package var name: String { text("name") }
  /// The values by register, all of which are shown.
  package var registers: JSON { json["registers"] ?? .null }
  /// The color that was set; nil where none was.
  package var color: String? { registers["color"].stringValue }
}
