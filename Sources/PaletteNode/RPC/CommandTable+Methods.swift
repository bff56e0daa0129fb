internal import PaletteCommands
internal import PaletteJSON

extension CommandTable {
  /// The command that a call names.
  static func method(named name: String) throws(RPCError) -> Command {
    if let command = command(named: name), command.access != nil { return command }
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
}

extension Command {
  /// Refuses arguments that are missing, unknown or of another type.
  func check(_ arguments: JSONObject) throws(RPCError) {
    if let problem = problem(with: arguments) { throw .invalidParameters(problem) }
  }
}
