import PaletteCommands

extension CommandRunner {
  /// The file argument as a path that means the same to a node in another folder.
  var absoluteFile: String { environment.absolute(invocation["file"].string ?? "") }

  /// The arguments as the API takes them; most commands pass theirs on as they are.
  func parameters() throws(APIError) -> Document {
    switch invocation.verb {
    case .backup, .recover: ["file": Document(absoluteFile)]
    case .join: ["code": Document(try joinCode())]
    case .tweak: tweakParameters
    case .config: try configParameters()
    default: Document(invocation.arguments)
    }
  }

  /// The code of `join`, which may come on the standard input so that nobody else sees it.
  private func joinCode() throws(APIError) -> String {
    let code = invocation["code"].string ?? ""
    guard code == "-" else { return code }
    return String(decoding: try program.console.readAll(limit: 64 * 1024), as: UTF8.self)
  }

  private var tweakParameters: Document {
    let direction = invocation["lighter"].isNull ? "darker" : "lighter"
    var members: [(key: String, value: Document)] = [
      ("palette", invocation["palette"]), ("color", invocation["color"]),
      ("direction", Document(direction)),
    ]
    let percent = invocation[direction]
    if percent.number != nil { members.append(("percent", percent)) }
    return Document(members)
  }

  private func configParameters() throws(APIError) -> Document {
    let action = invocation["action"].string ?? "list"
    let given = ["key", "value"].filter { invocation[$0].string != nil }
    let needed =
      switch action {
      case "get": ["key"]
      case "set": ["key", "value"]
      default: [] as [String]
      }
    guard given == needed else {
      throw .usage(
        "'hued config \(action)' takes \(needed.map { $0.uppercased() }.joined(separator: " "))",
        hint: "usage: hued config [get KEY | set KEY VALUE]"
      )
    }
    return Document(
      [("action", Document(action))] + needed.map { (key: $0, value: invocation[$0]) }
    )
  }
}
