import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteProgram

/// Runs one command: asks where it has to, calls the API once, and shows what comes back.
struct CommandRunner {
  let program: Program
  let invocation: Invocation

  var options: GlobalOptions { invocation.options }
  var environment: Environment { program.environment }

  var presentation: Presentation {
    Presentation(
      isTerminal: environment.isOutputTerminal,
      depth: ColorDepth.choose(
        options.color ?? .auto,
        isTerminal: environment.isOutputTerminal,
        variables: environment.variables
      ),
      columns: environment.columns,
      rows: environment.rows,
      isQuiet: options.quiet,
      isVerbose: options.verbose,
      isWide: options.wide,
      isWithoutUnicode: environment.isWithoutUnicode,
      now: environment.now
    )
  }

  func run() throws(APIError) -> Output {
    switch invocation.command.traits.programPart {
    case .completion: return completion()
    case .man: return text(ManPage.text, key: "man")
    case .help: return text(HelpText.text(for: nil), key: "help")
    case .serve: return try runServe()
    case .watch: return try runWatch()
    case .edit: return try runEdit()
    case .importing: return try runImport()
    case .exporting: return try runExport()
    case .picking: return try runPick()
    case .palettes: return try runPalettes()
    case .status: return try runStatus()
    case .history: return try runHistory()
    case .sharing: return try runShare()
    case .addingLines where invocation["value"] == "-": return try runAddingLines()
    case .resolving where asksForValue: return try runResolve()
    case .addingLines, .resolving, nil:
      if invocation.isForEachLine { return try runForEachLine() }
      try askFirst()
      return try show(try call(try parameters()))
    }
  }

  /// A person is shown some palettes at most, and how many there are.
  private func runStatus() throws(APIError) -> Output {
    var parameters = try parameters().objectValue ?? JSONObject([])
    if presentation.isTerminal, !options.json {
      parameters["limit"] = .integer(Int64(TextRenderer.statusLimit))
    }
    return try show(try call(.object(parameters)))
  }

  /// People are shown what was done; scripts ask for it.
  private func runHistory() throws(APIError) -> Output {
    var parameters = try parameters().objectValue ?? JSONObject([])
    if !options.json, invocation["changes"].isNull { parameters["actions"] = .bool(true) }
    return try show(try call(.object(parameters)))
  }

  /// The answer of the API to this command.
  func call(_ parameters: JSON) throws(APIError) -> any Answer {
    try call(invocation.command, parameters)
  }

  /// The answer of the API to another command.
  func call(_ command: Command, _ parameters: JSON) throws(APIError) -> any Answer {
    let location = environment.location(home: options.home)
    // With --json the standard error holds one document at most, that of an error.
    if options.verbose, !options.json {
      program.console.writeError("hued: library \(location.home)\n")
    }
    let request = Request(method: command.name, parameters: parameters)
    let isSilent = options.json || options.quiet
    let line = showsProgress ? program.showProgress(invocation.command.traits.work) : nil
    defer { line?.end() }
    let api = try program.makeAPI(location) { note in
      guard !isSilent else { return }
      let text = "hued: \(SafeText.message(note))\n"
      if let line { line.writeAbove(text) } else { program.console.writeError(text) }
    } _: { progress throws(APIError) in
      if !progress.work.isEmpty { line?.update(progress) }
      try program.checkForInterruption()
    }
    return try api.call(request)
  }

  /// True if a line tells how far long work is: on a terminal that can take it away again.
  private var showsProgress: Bool {
    environment.isErrorTerminal && environment.variables["TERM"] != "dumb" && !options.json
      && !options.quiet
  }

  /// The answer as it is for scripts, or as text for people.
  func show(_ answer: any Answer) throws(APIError) -> Output {
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    if !options.json, !presentation.isTerminal, let list = answer as? ListAnswer {
      let depth = presentation.depth
      let lines = list.lines {
        Swatch.label($0, depth: depth)
      } field: {
        SafeText.field($0)
      }
      if let lines { return Output(output: lines) }
    }
    guard options.json else {
      let document = try answer.json
      var output = renderer.output(for: document)
      output.exitCode = exitCode(document)
      if !options.quiet { reportWhatStays(document) }
      return output
    }
    let bytes = answer.bytes
    var output = Output(output: bytes + [UInt8(ascii: "\n")])
    // Others are not read again.
    if invocation.command.traits.failure != nil { output.exitCode = exitCode(try answer.json) }
    return output
  }

  private func exitCode(_ document: JSON) -> ExitCode {
    invocation.command.traits.failure?(document).map(ExitCode.init(errorCode:)) ?? .done
  }

  /// Tells what undoing, or doing again, had to leave as it is, and what a history may lack.
  private func reportWhatStays(_ document: JSON) {
    let isHistory = invocation.command.view == .history
    if isHistory, let since = Received<HistoryPage>(document).since {
      program.console.writeError(
        "hued: changes before \(SafeText.line(since)) may be missing here\n"
      )
    }
    let list = Received<ListAnswer>(document)
    if let absence = list.absence {
      let name = SafeText.words(list.palette.name)
      let time = SafeText.line(invocation["at"].stringValue ?? "")
      let reason = absence.known == .dropped ? "was dropped then" : "did not exist yet"
      program.console.writeError(
        "hued: '\(name)' \(reason) (\(time)), so there are no colors to list\n"
      )
    }
    let undone = Received<UndoAnswer>(document)
    for skipped in undone.skipped {
      let register = skipped.register.map { " (\(SafeText.words($0)))" } ?? ""
      let id = skipped.name.map { "'\(SafeText.words($0))'" } ?? SafeText.line(skipped.id)
      let reason = SafeText.words(skipped.reason)
      program.console.writeError("hued: \(id)\(register) stays as it is: \(reason)\n")
    }
    let count = undone.forgotten
    guard count > 0 else { return }
    program.console.writeError(
      "hued: \(count) added color\(count == 1 ? "" : "s") left alone: compaction removed "
        + "what was added from the history\n"
    )
  }

  private func completion() -> Output {
    let shell = invocation["shell"].stringValue.flatMap(Completion.init)
    return text(shell?.script ?? "", key: "completion")
  }

  private func text(_ text: String, key: String) -> Output {
    options.json ? Program.line(JSON([(key: key, value: JSON(text))])) : Output(text)
  }

  /// True if somebody is asked, and can answer.
  var asks: Bool {
    !options.yes && environment.isInputTerminal && environment.isErrorTerminal
  }

  /// Asks on a terminal; elsewhere only `--yes` will do.
  private func confirm(_ question: String) throws(APIError) {
    guard !options.yes else { return }
    guard asks else {
      throw APIError(
        code: "needs-confirmation",
        message: "'hued \(invocation.command.name)' needs confirmation: \(question)",
        hint: "add --yes, or run it on a terminal"
      )
    }
    program.console.writeError("\(question) [y/N] ")
    let answer = program.console.readLine()?.lowercased()
    guard answer == "y" || answer == "yes" else {
      throw APIError(code: "failed", message: "not confirmed, so nothing was done")
    }
  }

  /// A code for the whole library gives more than whoever asks for one may think.
  private func runShare() throws(APIError) -> Output {
    // A word that is no role is refused in any case.
    if invocation["palette"].isNull, invocation["public"].isNull,
      let role = Role(rawValue: invocation["role"].stringValue ?? Role.relay.rawValue)
    {
      let warning =
        "This code gives everything, now and later: all palettes here, and all made later "
        + "(\(role.rawValue))."
      if asks {
        program.console.writeError(warning + " One palette alone: hued share PALETTE\n")
        try confirm("Share everything?")
      } else if !options.json, !options.quiet {
        program.console.writeError("hued: \(warning)\n")
      }
    }
    var parameters = try parameters().objectValue ?? JSONObject([])
    parameters["qr"] = nil
    return try show(try call(.object(parameters)))
  }

  /// Asks before a file is replaced; what is no regular file, such as a device, holds nothing.
  func confirmReplacing(_ path: String) throws(APIError) {
    guard File.isRegular(path) else { return }
    try confirm("Replace '\(SafeText.line(path))'?")
  }

  /// The arguments as the API takes them.
  func parameters() throws(APIError) -> JSON {
    var arguments = JSONObject(invocation.arguments.map { .init($0.key, $0.value) })
    for positional in invocation.command.positionals {
      let pieces = arguments[positional.name].arrayValue ?? []
      guard let text = (pieces.count == 1 ? pieces[0] : arguments[positional.name]).stringValue
      else {
        continue
      }
      switch positional.content {
      case .css: warnOfClamping(text)
      case .path where text == "-":
        throw APIError(
          code: "bad-usage",
          message: "'-' cannot stand for the file of '\(invocation.command.name)'",
          hint: "name a file; one that is called so is ./-"
        )
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

  /// Says so where CSS takes a lightness for white, which hardly anybody means.
  private func warnOfClamping(_ css: String) {
    guard !options.json, !options.quiet, let lightness = Color.clampedLightness(ofCSS: css) else {
      return
    }
    let text = Int(exactly: lightness).map(String.init) ?? "\(lightness)"
    program.console.writeError(
      "hued: a lightness of \(text) is beyond the greatest, so this is white; did you mean \(text)%?\n"
    )
  }

  /// Asks what has to be asked before the command is carried out.
  private func askFirst() throws(APIError) {
    switch invocation.command.question {
    case nil: return
    // The command itself says that there is no such file.
    case .about(let parameter, _, _) where isMissingFile(parameter): return
    case .about(let parameter, let before, let after):
      try confirm(before + SafeText.words(try nameInQuestion(parameter)) + after)
    case .replacing where invocation.command.checksOnly { invocation[$0] }: return
    case .replacing(let parameter): try confirmReplacing(shown(parameter))
    }
  }

  private func isMissingFile(_ parameter: String) -> Bool {
    let positional = invocation.command.positionals.first { $0.name == parameter }
    return positional?.content == .path && !File.exists(shown(parameter))
  }

  /// The subject of a question: a palette by its name, if there is a terminal to ask at.
  ///
  /// Whoever gets an answer need not be asked first: there may be no such palette.
  private func nameInQuestion(_ parameter: String) throws(APIError) -> String {
    guard parameter == Positional.palette.name, asks else { return shown(parameter) }
    let answer = try call(.status, [parameter: invocation[parameter]]).json
    return Received<StatusAnswer>(answer).palettes.first?.name ?? shown(parameter)
  }

  /// An argument as it is shown in a question: a path whole.
  private func shown(_ parameter: String) -> String {
    let text = invocation[parameter].stringValue ?? ""
    let positional = invocation.command.positionals.first { $0.name == parameter }
    return positional?.content == .path ? environment.absolute(text) : text
  }

  /// True if `resolve` is to ask: no value is given, and somebody sits there.
  private var asksForValue: Bool {
    invocation["value"].isNull && !options.json && asks
  }

  /// Asks which value of each conflict stays, and settles those that are answered.
  private func runResolve() throws(APIError) -> Output {
    let palette = invocation["palette"]
    let answer = try call(.conflicts, ["palette": palette]).json
    let meant = Received<ConflictsAnswer>(answer).conflicts.filter(isMeant)
    // Nothing, or something that only looks like it: the command says what is wrong.
    guard !meant.isEmpty, Set(meant.map(\.id)).count == 1 else {
      return try show(try call(try parameters()))
    }
    var output = Output("")
    for conflict in meant {
      guard let value = ask(conflict) else {
        program.console.writeError("hued: left as it is\n")
        break
      }
      let parameters: JSON = [
        "palette": palette, "color": JSON(conflict.id), "register": JSON(conflict.register),
        "value": JSON(value),
      ]
      output.output += try show(try call(parameters)).output
    }
    return output
  }

  /// Returns whether a conflict is one that the arguments name.
  private func isMeant(_ conflict: Received<ConflictAnswer>) -> Bool {
    let color = (invocation["color"].stringValue ?? "").lowercased()
    let isNamed =
      conflict.name == invocation["color"].stringValue
      || color.utf8.count >= 4 && conflict.id.hasPrefix(color)
    return isNamed
      && (invocation["register"].isNull || invocation["register"].stringValue == conflict.register)
  }

  /// The value that stays; nil where nobody decides.
  private func ask(_ conflict: Received<ConflictAnswer>) -> String? {
    let values = conflict.values.map(\.value)
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    program.console.writeError(renderer.choices(of: conflict))
    while true {
      program.console.writeError("Which one stays? [1, or q to leave it] ")
      guard let answer = program.console.readLine()?.filter({ !$0.isWhitespace }) else {
        program.console.writeError("\n")
        return nil
      }
      if answer.isEmpty { return values.first }
      if ["q", "quit"].contains(answer.lowercased()) { return nil }
      if let number = Int(answer), values.indices.contains(number - 1) {
        return values[number - 1]
      }
      program.console.writeError("A number from 1 to \(values.count), please.\n")
    }
  }
}

extension TextRenderer {
  /// The values of a conflict, numbered, the one that is shown first.
  fileprivate func choices(of conflict: Received<ConflictAnswer>) -> String {
    let values = conflict.values
    let table = table(of: Array(values.enumerated())) { index, value in
      let text = plain(value.value)
      return [
        Cell(String(index + 1), alignsRight: true),
        conflict.isOfColor ? patch(value.value) : Cell(""),
        Cell(conflict.isOfColor ? Self.readable(text) : text),
        Cell(plain(value.author), limit: 30), Cell(whole: ago(stamp: value.stamp)),
        Cell(value.isShown ? "shown" : ""),
      ]
    }
    let name = SafeText.words(plain(conflict.name))
    return "The \(plain(conflict.register)) of \(bold(name)) has \(values.count) values:\n"
      + table
  }
}
