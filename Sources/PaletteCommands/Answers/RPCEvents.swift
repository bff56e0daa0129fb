package import PaletteJSON

/// The notifications of a node to its watchers, as the description of the API names them.
package enum RPCEvents {
  private static let id = Schema.text("a UUID, lower case")
  private static let author = Schema.null(or: .text("what the author is called, a claim"))
  private static let seen = Schema.text("names the values that the color has; for later edits")

  /// A palette with its colors, as `palette.watch` begins.
  static let snapshot = Schema.named(
    "Snapshot",
    .object([
      ("event", .word(["snapshot"])), ("palette", PaletteAnswer.schema),
      ("colors", .list(RecordAnswer.schema)),
    ])
  )

  /// A change of a palette.
  package static let diff = Schema.named(
    "Diff",
    .object([
      ("event", .word(["diff"])), ("palette", id),
      ("deletions", .list(.object([("index", .integer), ("id", id)]))),
      ("insertions", .list(.object([("index", .integer), ("color", RecordAnswer.schema)]))),
      (
        "moves",
        .list(.object([("from", .integer), ("to", .integer), ("id", id), ("seen", seen)]))
      ),
      (
        "updates",
        .list(
          .object([
            ("index", .integer), ("color", RecordAnswer.schema), ("was", RecordAnswer.schema),
          ])
        )
      ), ("node", .null(or: .text("of the newest change"))), ("author", author),
      ("stamp", .null(or: .text("16 hexadecimal digits that sort as stamps do"))),
    ])
  )

  /// A view of a palette, and the person whose view it is.
  package static let presence = Schema.named("Presence", .object(presenceMembers))

  /// The same as the answer to whoever states to be there.
  static let ownPresence = Schema.named(
    "OwnPresence",
    .object(
      presenceMembers + [
        ("you", .text("the caller's own view: node:number")),
        ("followed", .null(or: .text("the palette that 'follow' looks at"))),
      ]
    )
  )

  private static let presenceMembers: [(name: String, schema: Schema)] = [
    ("event", .word(["presence"])), ("palette", id),
    (
      "present",
      .list(
        .object([
          ("who", .text("a view: node:number")), ("name", .text("at most 64 bytes")),
          ("author", author), ("node", .null(or: .text("of the edits of the person"))),
          ("member", .null(or: .text("of this hub: the same at each visit"))),
          ("selection", .null(or: id)),
        ])
      )
    ),
  ]

  /// The palettes of the library.
  package static let palettes = Schema.named(
    "Palettes",
    .object([("event", .word(["palettes"])), ("palettes", .list(PaletteAnswer.schema))])
  )

  /// A change of the list of palettes.
  package static let palettesDiff = Schema.named(
    "PalettesDiff",
    .object([
      ("event", .word(["palettes"])), ("added", .list(PaletteAnswer.schema)),
      ("removed", .list(id)), ("changed", .list(PaletteAnswer.schema)),
    ])
  )

  /// A palette has another name.
  package static let title = Schema.named(
    "Title",
    .object([("event", .word(["title"])), ("palette", PaletteAnswer.schema)])
  )

  /// A joined peer is reached again, or not any more.
  package static let peers = Schema.named(
    "Peers",
    .object([("event", .word(["state"])), ("peers", .list(PeerAnswer.schema))])
  )

  /// The progress of a call.
  package static let progress = Schema.named(
    "Progress",
    .object([
      ("id", .any), ("work", .text("what is being done, for people")),
      ("unit", .null(or: .word(Progress.Unit.allCases.map(\.rawValue)))), ("done", .integer),
      ("total", .null(or: .integer)),
    ])
  )

  /// The reason why a call failed.
  package static let failure = Schema.named(
    "Failure",
    .object([
      ("code", .text("a stable word")), ("message", .text()), ("hint", .null(or: .text())),
    ])
  )
}

extension APIError: JSONRepresentable {
  package static var schema: Schema { RPCEvents.failure }
  package var json: JSON { document }
}

extension Received where Form == APIError {
  package var code: String { text("code") }
  package var message: String { text("message") }
  package var hint: String? { optionalText("hint") }
}

extension RPCEvents {
  /// Anything that a palette's watchers are told.
  package enum Event: String {
    case snapshot, diff, title, presence
    case peers = "state"
  }

  /// A change of a palette.
  package enum Diff {}
  /// A color that a change takes out, puts in, moves or updates.
  package enum Step {}
  /// A view of a palette, and the person whose view it is.
  package enum View {}
}

extension Received where Form == RPCEvents.Event {
  package var event: RPCEvents.Event? { .init(rawValue: text("event")) }
  package var list: Received<ListAnswer> { .init(json) }
  package var diff: Received<RPCEvents.Diff> { .init(json) }
  package var palette: Received<PaletteAnswer> { part("palette") }
  package var present: [Received<RPCEvents.View>] { parts("present") }
  package var peers: [Received<PeerAnswer>] { parts("peers") }
}

extension Received where Form == RPCEvents.Diff {
  package var author: String? { optionalText("author") }
  package var deletions: [Received<RPCEvents.Step>] { parts("deletions") }
  package var insertions: [Received<RPCEvents.Step>] { parts("insertions") }
  package var moves: [Received<RPCEvents.Step>] { parts("moves") }
  package var updates: [Received<RPCEvents.Step>] { parts("updates") }
}

extension Received where Form == RPCEvents.Step {
  /// The index of the color: the old one of a deletion, the new one of anything else.
  package var index: Int? { integer("index") ?? integer("to") }
  /// The old index of a move.
  package var from: Int? { integer("from") }
  package var id: String { optionalText("id") ?? color.id }
  package var color: Received<RecordAnswer> { part("color") }
  /// The color before an update.
  package var was: Received<RecordAnswer> { part("was") }
  /// The values that a color has after its move.
  package var seen: String? { optionalText("seen") }
}

extension Received where Form == RPCEvents.View {
  package var name: String { text("name") }
  package var author: String? { optionalText("author") }
  package var shownName: String? { author ?? optionalText("name") }
  package var selection: String? { optionalText("selection") }
}
