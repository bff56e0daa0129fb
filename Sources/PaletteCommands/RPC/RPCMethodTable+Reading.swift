extension RPCMethodTable {
  static let timeMethods: [RPCMethod] = [
    RPCMethod(
      "undo",
      .editor,
      "Takes back the caller's own last action",
      [palette],
      result: .reference("Undone")
    ),
    RPCMethod(
      "redo",
      .editor,
      "Does again what the caller undid last",
      [palette],
      result: .reference("Undone")
    ),
    RPCMethod(
      "history",
      .viewer,
      "Lists the changes of a palette, newest first; where older ones are missing here, a peer is "
        + "asked first, and since tells from when on all are known",
      [palette, .init("limit", .integer, "the most changes").optional],
      result: .object([
        ("changes", .list(.reference("Change"))), ("since", .null(or: .text("ISO 8601"))),
      ])
    ),
    RPCMethod(
      "conflicts",
      .viewer,
      "Lists registers that were written concurrently, of one palette or of all",
      [palette.optional],
      result: .object([("conflicts", .list(.reference("Conflict")))])
    ),
    RPCMethod(
      "resolve",
      .editor,
      "Keeps one of the values of a register in conflict",
      [
        palette, color, .init("register", .word(["name", "color", "note"]), "the register"),
        .init("value", .text(), "one of the listed values"), seen,
      ],
      result: .reference("Record")
    ),
  ]

  static let fileMethods: [RPCMethod] = [
    RPCMethod(
      "import",
      .editor,
      "Reads palette files; each palette changes by what differs",
      [
        .init("files", .list(.reference("File")), "the files"),
        .init("palette", .text(), "the palette to put everything into").optional,
        .init("format", .text(), "a name of 'formats'; recognised when not given").optional,
      ],
      result: .object([("files", .list(.reference("Imported")))])
    ),
    RPCMethod(
      "export",
      .viewer,
      "Writes a palette as the bytes of a file",
      [
        palette, .init("format", .text(), "a name of 'formats', json when not given").optional,
        .init("output-extension", .text(), "chooses the format where none is given").optional,
      ],
      result: .reference("Exported")
    ),
    RPCMethod("formats", .viewer, "Lists the file formats", result: .reference("Formats")),
  ]

  static let factMethods: [RPCMethod] = [
    RPCMethod(
      "color",
      .viewer,
      "Describes a color",
      [value],
      result: .reference("ColorFacts")
    ),
    RPCMethod(
      "convert",
      .viewer,
      "Converts a color to another space",
      [value, .init("to", .text(), "srgb, display-p3, hsb, hsl, hwb, lab, lch, oklab, oklch ...")],
      result: .reference("Converted")
    ),
    RPCMethod(
      "contrast",
      .viewer,
      "Measures the WCAG contrast of two colors",
      [.init("a", .text(), "the color in front"), .init("b", .text(), "the color behind")],
      result: .reference("Contrast")
    ),
    RPCMethod(
      "name",
      .viewer,
      "Finds the nearest CSS color name",
      [value],
      result: .object([("name", .text()), ("hex", .text()), ("deltaE", .number)])
    ),
  ]

  static let watchMethods: [RPCMethod] = [
    RPCMethod(
      "palette.watch",
      .viewer,
      "Gives a palette's colors and from then on every diff, as notifications palette.diff; "
        + "watching again begins anew; not in a batch",
      [palette],
      result: .reference("Snapshot")
    ),
    RPCMethod(
      "palette.unwatch",
      .viewer,
      "Ends the diffs of a palette; not in a batch",
      [palette],
      result: .object([("unwatched", .text("the palette's id"))])
    ),
    RPCMethod(
      "palette.present",
      .viewer,
      "States that a person looks at a palette, until another call or the end of the connection, "
        + "and tells who is there",
      [
        palette, .init("name", .text(), "what the person wants to be called"),
        .init("selection", .text(), "the color that is selected").optional,
      ],
      result: .reference("Presence")
    ),
    RPCMethod(
      "library.watch",
      .viewer,
      "Lists the palettes, and from then on tells when one is made, renamed, dropped or brought "
        + "back, as notifications library.palettes; a token of one palette learns of that one; not "
        + "in a batch",
      result: .reference("Palettes")
    ),
    RPCMethod(
      "status",
      .viewer,
      "Tells the state of the node, of its palettes and of its peers",
      result: .reference("Status")
    ),
  ]

  static let careMethods: [RPCMethod] = [
    RPCMethod(
      "backup",
      .local,
      "Writes a copy of the library to a file on the node's machine",
      [.init("file", .text("an absolute path"), "the file to write or replace")],
      result: .reference("Report")
    ),
    RPCMethod(
      "compact",
      .local,
      "Forgets old history",
      [.init("before", .text(time), "keep all since then; 30 days when not given").optional],
      result: .reference("Report")
    ),
    RPCMethod(
      "doctor",
      .local,
      "Checks the library and the machine",
      result: .reference("Checkup")
    ),
    RPCMethod(
      "config",
      .local,
      "Shows or changes settings",
      [
        .init("action", .word(["list", "get", "set"]), "what to do, list when not given").optional,
        .init("key", .text(), "the setting").optional,
        .init("value", .text(), "its new value").optional,
      ],
      result: .reference("Report")
    ),
  ]
}
