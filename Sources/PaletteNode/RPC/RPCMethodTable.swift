/// All methods of the RPC API; checks, authorization and description come from it.
enum RPCMethodTable {
  static let methods: [RPCMethod] =
    paletteMethods + colorMethods + timeMethods + fileMethods + factMethods + watchMethods
    + sharingMethods + careMethods

  private static let byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })

  static func method(named name: String) throws(RPCError) -> RPCMethod {
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
