/// The forms that methods and notifications of the RPC API refer to by name.
package enum RPCSchemaTable {
  package static let schemas: [(name: String, schema: RPCSchema)] =
    lists + edits + files + facts + states

  private static let id = RPCSchema.text("a UUID, lower case")
  private static let stamp = RPCSchema.text("16 hexadecimal digits that sort as stamps do")
  private static let index = RPCSchema.integer
  private static let author = RPCSchema.null(or: .text("what the author is called, a claim"))
  private static let seen = RPCSchema.text("names the values that the color has; for later edits")

  private static let lists: [(name: String, schema: RPCSchema)] = [
    (
      "Record",
      .object([
        ("id", id), ("name", .text()), ("color", .text("CSS, in the space it was authored in")),
        ("hex", .text("#rrggbb or #rrggbbaa")), ("index", .null(or: .integer)), ("note", .text()),
        ("conflicts", .list(.text("a register with several values"))), ("seen", seen),
      ])
    ),
    (
      "Palette",
      .object([
        ("id", id), ("name", .text()), ("count", .integer),
        ("digest", .text("32 hexadecimal digits; equal exactly when the contents are")),
      ])
    ),
    (
      "List",
      .object([("palette", .reference("Palette")), ("colors", .list(.reference("Record")))])
    ),
    ("RecordOrPalette", .either([.reference("Record"), .reference("Palette")])),
    (
      "Snapshot",
      .object([
        ("event", .word(["snapshot"])), ("palette", .reference("Palette")),
        ("colors", .list(.reference("Record"))),
      ])
    ),
    (
      "Diff",
      .object([
        ("event", .word(["diff"])), ("palette", id),
        ("deletions", .list(.object([("index", index), ("id", id)]))),
        ("insertions", .list(.object([("index", index), ("color", .reference("Record"))]))),
        (
          "moves",
          .list(.object([("from", index), ("to", index), ("id", id), ("seen", seen)]))
        ),
        (
          "updates",
          .list(
            .object([
              ("index", index), ("color", .reference("Record")), ("was", .reference("Record")),
            ])
          )
        ), ("node", .null(or: .text("of the newest change"))), ("author", author),
        ("stamp", .null(or: stamp)),
      ])
    ),
    (
      "Presence",
      .object([
        ("event", .word(["presence"])), ("palette", id),
        (
          "present",
          .list(
            .object([
              ("who", .text("a view: node:number")), ("name", .text("at most 64 bytes")),
              ("author", author),
              ("selection", .null(or: id)),
            ])
          )
        ),
      ])
    ),
    (
      "Palettes",
      .object([("event", .word(["palettes"])), ("palettes", .list(.reference("Palette")))])
    ),
    ("Title", .object([("event", .word(["title"])), ("palette", .reference("Palette"))])),
  ]

  private static let edits: [(name: String, schema: RPCSchema)] = [
    ("Removed", .object([("id", id), ("removed", .truth)])),
    (
      "Undone",
      .object([
        ("changed", .list(.either([.reference("Record"), .reference("Removed")]))),
        (
          "skipped",
          .list(.object([("id", id), ("register", .null(or: .text())), ("reason", .text())]))
        ), ("forgotten", .integer),
      ])
    ),
    (
      "Change",
      .object([
        ("dot", .text("node:sequence")), ("stamp", stamp), ("time", .text("ISO 8601")),
        ("node", .text()), ("author", author),
        ("kind", .word(["add", "set", "delete", "restore", "drop"])),
        ("id", id), ("registers", .map(.text())),
      ])
    ),
    (
      "Conflict",
      .object([
        ("palette", id), ("id", id), ("register", .word(["name", "color", "note"])),
        (
          "values",
          .list(
            .object([
              ("value", .text()), ("node", .text()), ("author", author), ("stamp", stamp),
              ("shown", .truth),
            ])
          )
        ),
      ])
    ),
  ]

  private static let files: [(name: String, schema: RPCSchema)] = [
    ("File", .object([("file", .text("its name")), ("bytes", .text("base64"))])),
    (
      "Imported",
      .object([
        ("file", .text()), ("format", .null(or: .text())), ("palette", .null(or: id)),
        ("colors", .integer), ("skipped", .list(.map(.any))), ("inserted", .integer),
        ("deleted", .integer), ("moved", .integer), ("updated", .integer),
        ("error", .null(or: .reference("Failure"))),
      ])
    ),
    (
      "Exported",
      .object([
        ("format", .text()), ("palette", id), ("colors", .integer), ("bytes", .text("base64")),
      ])
    ),
    (
      "Formats",
      .object([
        (
          "formats",
          .list(
            .object([
              ("name", .text()), ("title", .text()), ("extensions", .list(.text())),
              ("reads", .truth), ("writes", .truth),
            ])
          )
        )
      ])
    ),
  ]

  private static let facts: [(name: String, schema: RPCSchema)] = [
    (
      "ColorFacts",
      .object([
        ("color", .text()), ("hex", .text()), ("name", .text("the nearest CSS name")),
        ("rgb", components), ("hsb", components), ("hsl", components), ("oklch", components),
        ("alpha", .number), ("inGamut", .truth),
      ])
    ),
    (
      "Converted",
      .object([
        ("color", .text()), ("space", .text()), ("components", components), ("alpha", .number),
        ("hex", .text()),
      ])
    ),
    (
      "Contrast",
      .object([("ratio", .number), ("aa", levels), ("aaa", levels)])
    ),
  ]

  private static let components = RPCSchema.list(.null(or: .number))
  private static let levels = RPCSchema.object([("normal", .truth), ("large", .truth)])

  private static let states: [(name: String, schema: RPCSchema)] = [
    (
      "Status",
      .object([
        ("node", .text()), ("version", .text()), ("running", .truth),
        ("listening", .list(.text("a URL"))), ("inSync", .truth),
        ("reasons", .list(.text("why not"))), ("pending", .integer), ("missing", .integer),
        ("digest", .text()),
        ("clockOffsetMilliseconds", .integer),
        (
          "palettes",
          .list(
            .object([
              ("id", id), ("name", .text()), ("count", .integer), ("digest", .text()),
              ("pending", .integer), ("conflicts", .integer),
            ])
          )
        ), ("peers", .list(.reference("Peer"))),
      ])
    ),
    (
      "Peer",
      .object([
        ("url", .text()), ("state", .word(["live", "connecting", "refused", "offline"])),
        ("pending", .integer), ("rttMilliseconds", .null(or: .number)),
        ("clockOffsetMilliseconds", .null(or: .number)), ("lastAck", .null(or: .text("ISO 8601"))),
        ("toCome", .integer), ("unreachable", .truth), ("error", .null(or: .any)),
      ])
    ),
    (
      "Checkup",
      .object([
        ("ok", .truth),
        ("checks", .list(.object([("name", .text()), ("ok", .truth), ("detail", .text())]))),
      ])
    ),
    ("Report", .map(.any)),
    (
      "Failure",
      .object([
        ("code", .text("a stable word")), ("message", .text()), ("hint", .null(or: .text())),
      ])
    ),
  ]
}
