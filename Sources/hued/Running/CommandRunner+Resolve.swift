import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// Whether `resolve` is to ask: no value is given, and somebody sits there.
  var asksForValue: Bool {
    invocation.command == .resolve && invocation["value"].isNull && !options.json && !options.yes
      && environment.isInputTerminal && environment.isErrorTerminal
  }

  /// Asks which value of each conflict stays, and settles those that are answered.
  func runResolve() throws(APIError) -> Output {
    let palette = invocation["palette"]
    let conflicts = try call(.conflicts, ["palette": palette]).json["conflicts"].arrayValue ?? []
    let meant = conflicts.filter(isMeant)
    // Nothing, or something that only looks like it: the command says what is wrong.
    guard !meant.isEmpty, Set(meant.map { $0["id"].stringValue }).count == 1 else {
      return try show(try call(try parameters()))
    }
    var output = Output("")
    for conflict in meant {
      guard let value = ask(conflict) else {
        program.console.note("hued: left as it is\n")
        break
      }
      let parameters: JSON = [
        "palette": palette, "color": conflict["id"] ?? .null,
        "register": conflict["register"] ?? .null, "value": value,
      ]
      output.output += try show(try call(parameters)).output
    }
    return output
  }

  /// Whether a conflict is one that the arguments name.
  private func isMeant(_ conflict: JSON) -> Bool {
    let color = (invocation["color"].stringValue ?? "").lowercased()
    let isNamed =
      conflict["name"].stringValue == invocation["color"].stringValue
      || color.utf8.count >= 4 && (conflict["id"].stringValue ?? "").hasPrefix(color)
    return isNamed
      && (invocation["register"].isNull || invocation["register"] == conflict["register"])
  }

  /// The value that stays; nil where nobody decides.
  private func ask(_ conflict: JSON) -> JSON? {
    let values = conflict["values"].arrayValue ?? []
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    program.console.note(renderer.choices(of: conflict))
    while true {
      program.console.note("Which one stays? [1, or q to leave it] ")
      guard let answer = program.console.readLine()?.filter({ !$0.isWhitespace }) else {
        program.console.note("\n")
        return nil
      }
      if answer.isEmpty { return values.first?["value"] }
      if ["q", "quit"].contains(answer.lowercased()) { return nil }
      if let number = Int(answer), values.indices.contains(number - 1) {
        return values[number - 1]["value"]
      }
      program.console.note("A number from 1 to \(values.count), please.\n")
    }
  }
}

extension TextRenderer {
  /// The values of a conflict, numbered, the one that is shown first.
  fileprivate func choices(of conflict: JSON) -> String {
    let register = plain(conflict["register"])
    let values = conflict["values"].arrayValue ?? []
    var table = TextTable()
    for (index, value) in values.enumerated() {
      let text = plain(value["value"])
      table.append([
        Cell(String(index + 1), alignsRight: true),
        register == "color" ? patch(value["value"]) : Cell(""),
        Cell(register == "color" ? Self.readable(text) : text),
        Cell(plain(value["author"]), limit: 30), Cell(whole: ago(stamp: value["stamp"])),
        Cell(value["shown"].boolValue == true ? "shown" : ""),
      ])
    }
    let name = SafeText.line(plain(conflict["name"]))
    return "The \(register) of \(bold(name)) has \(values.count) values:\n"
      + table.text(presentation)
  }
}
