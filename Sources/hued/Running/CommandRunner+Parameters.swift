import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// The arguments as the API takes them.
  func parameters() throws(APIError) -> JSON {
    var arguments = JSONObject(invocation.arguments.map { .init($0.key, $0.value) })
    for positional in invocation.command.positionals {
      guard let text = arguments[positional.name].stringValue else { continue }
      switch positional.content {
      // A node in another folder has to find the same file.
      case .path: arguments[positional.name] = .string(environment.absolute(text))
      case .secret where text == "-":
        let bytes = try program.console.readAll(limit: 64 * 1024)
        arguments[positional.name] = .string(String(decoding: bytes, as: UTF8.self))
      default: break
      }
    }
    return .object(try invocation.command.translate?(arguments) ?? arguments)
  }

  /// Asks what has to be asked before the command is carried out.
  func askFirst() throws(APIError) {
    switch invocation.command.question {
    case nil: return
    case .about(let parameter, let before, let after):
      try confirm(before + SafeText.line(try nameInQuestion(parameter)) + after)
    case .replacing where invocation["verify"].boolValue == true: return
    case .replacing(let parameter): try confirmReplacing(shown(parameter))
    }
  }

  /// What a question is about: a palette by its name, where a terminal is there to ask at.
  ///
  /// Whoever gets an answer need not be asked first: there may be no such palette.
  private func nameInQuestion(_ parameter: String) throws(APIError) -> String {
    guard parameter == Positional.palette.name, asks else { return shown(parameter) }
    let status = try call(.status, [parameter: invocation[parameter]]).json
    return status["palettes"].arrayValue?.first?["name"].stringValue ?? shown(parameter)
  }

  /// An argument as it is shown in a question: a path whole.
  private func shown(_ parameter: String) -> String {
    let text = invocation[parameter].stringValue ?? ""
    let positional = invocation.command.positionals.first { $0.name == parameter }
    return positional?.content == .path ? environment.absolute(text) : text
  }
}
