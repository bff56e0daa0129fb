import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// The file argument as a path that means the same to a node in another folder.
  var absoluteFile: String { environment.absolute(invocation["file"].stringValue ?? "") }

  /// The arguments as the API takes them; most commands pass theirs on as they are.
  func parameters() throws(APIError) -> JSON {
    switch invocation.verb {
    case .backup, .recover: ["file": JSON(absoluteFile)]
    case .join: ["code": JSON(try joinCode())]
    case .tweak: tweakParameters
    case .config: try configParameters()
    default: JSON(invocation.arguments)
    }
  }

  /// The code of `join`, which may come on the standard input so that nobody else sees it.
  private func joinCode() throws(APIError) -> String {
    let code = invocation["code"].stringValue ?? ""
    guard code == "-" else { return code }
    return String(decoding: try program.console.readAll(limit: 64 * 1024), as: UTF8.self)
  }

  private var tweakParameters: JSON {
    let direction = invocation["lighter"].isNull ? "darker" : "lighter"
    var members: [(key: String, value: JSON)] = [
      ("palette", invocation["palette"]), ("color", invocation["color"]),
      ("direction", JSON(direction)),
    ]
    let percent = invocation[direction]
    if percent.numberValue != nil { members.append(("percent", percent)) }
    return JSON(members)
  }

  private func configParameters() throws(APIError) -> JSON {
    let action = invocation["action"].stringValue ?? "list"
    let given = ["key", "value"].filter { invocation[$0].stringValue != nil }
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
    return JSON(
      [("action", JSON(action))] + needed.map { (key: $0, value: invocation[$0]) }
    )
  }
}
