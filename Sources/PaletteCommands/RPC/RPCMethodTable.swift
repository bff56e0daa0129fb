/// All methods of the RPC API; checks, authorization and description come from it.
package enum RPCMethodTable {
  package static let methods: [RPCMethod] =
    (paletteMethods + colorMethods + timeMethods + fileMethods).map {
      $0.access == .editor ? $0.taking(edit) : $0
    } + factMethods + watchMethods + sharingMethods + careMethods

  private static let byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })

  package static func method(named name: String) throws(RPCError) -> RPCMethod {
    if let method = byName[name] { return method }
    let near = Spelling.nearest(to: name, among: methods.map(\.name))
    throw RPCError(
      .methodNotFound,
      APIError(
        code: "not-found",
        message: "there is no method '\(name)'",
        hint: near.map { "did you mean '\($0)'?" } ?? "/api lists them"
      )
    )
  }

  static let palette = RPCMethod.Parameter(
    "palette",
    .text(),
    "the palette: its exact name, or 4 or more characters of its id"
  )
  static let color = RPCMethod.Parameter(
    "color",
    .text(),
    "the color: its exact name, or 4 or more characters of its id"
  )
  static let seen = RPCMethod.Parameter(
    "seen",
    .text(),
    "what the caller saw of the color, from the record: other values that were written meanwhile "
      + "stay beside the new one, as a conflict"
  ).optional
  static let edit = RPCMethod.Parameter(
    "edit",
    .text("a UUID"),
    "names the edit: the same one again within 7 days changes nothing, and gets the first answer "
      + "again, or {\"repeated\":true} if that had more than 64 KiB"
  ).optional
  static let value = RPCMethod.Parameter(
    "value",
    .text(),
    "a color as in CSS, or hsb(H S% B%), or hexadecimal digits"
  )
  static let name = RPCMethod.Parameter("name", .text(), "the name, at most 1 KiB")
  static let positions = [
    RPCMethod.Parameter("at", .integer, "the position, from 0; one of at, before and after")
      .optional,
    RPCMethod.Parameter("before", .text(), "the color to stand before").optional,
    RPCMethod.Parameter("after", .text(), "the color to stand behind").optional,
  ]
  static let time = "ISO 8601, or an age such as \"10 minutes ago\""
}
