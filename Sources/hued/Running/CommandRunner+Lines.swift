import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// The most bytes of colors that are read from the standard input.
  private static let lineLimit = 16 << 20

  /// Adds the colors of the standard input, as one edit.
  func runAddingLines() throws(APIError) -> Output {
    guard invocation["name"].isNull else {
      throw .usage(
        "NAME is for one color, not for those of the standard input",
        hint: "write each name behind its color and a tab"
      )
    }
    let lines = try readLines()
    return try show(try call(JSON(invocation.arguments + [("colors", lines.document)])))
  }

  /// Answers the command for each color of the standard input.
  func runForEachLine() throws(APIError) -> Output {
    guard invocation.arguments.count(where: { $0.value == "-" }) == 1 else {
      throw .usage("the standard input can stand for one of the colors only")
    }
    var documents: [JSON] = []
    for entry in try readLines().entries {
      let arguments = invocation.arguments.map { argument in
        argument.value == "-" ? (argument.key, JSON(entry.value)) : argument
      }
      let document = try call(JSON(arguments)).json
      // What is several colors already is one list with the others.
      documents += document["colors"].arrayValue?.map { $0.named(entry.name) } ?? [document]
    }
    if options.json { return Program.line(["colors": JSON(documents)]) }
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    if invocation.command.answersColors {
      return renderer.output(for: ["colors": JSON(documents)])
    }
    // Facts of several lines are told apart by an empty one.
    let separator = [.color, .contrast].contains(invocation.command) ? Array("\n".utf8) : []
    let outputs = documents.map { renderer.output(for: $0).output }
    return Output(output: Array(outputs.joined(separator: separator)))
  }

  private func readLines() throws(APIError) -> ColorLines {
    try ColorLines(try program.console.readAll(limit: Self.lineLimit))
  }
}

extension Invocation {
  /// Whether the color that it is about stands for those of the standard input.
  var isForEachLine: Bool {
    switch command {
    case .color, .convert, .nearestName, .harmony: self["value"] == "-"
    case .simulate: self["subject"] == "-"
    case .contrast, .mix: self["a"] == "-" || self["b"] == "-"
    default: false
    }
  }
}

extension Command {
  /// Whether it answers computed colors.
  var answersColors: Bool {
    [.mix, .ramp, .harmony, .distinct, .simulate, .pick].contains(self)
  }
}

extension JSON {
  /// A computed color with the name of the color that it came from.
  fileprivate func named(_ name: String?) -> JSON {
    guard let name, var object = objectValue else { return self }
    object["name"] = .string(name)
    return .object(object)
  }
}
