import PaletteCommands
import PaletteFormats

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
      isQuiet: options.quiet,
      isVerbose: options.verbose,
      isWide: options.wide,
      isWithoutUnicode: environment.isWithoutUnicode,
      now: environment.now
    )
  }

  func run() throws(APIError) -> Output {
    switch invocation.command {
    case .completion: return completion()
    case .man: return text(ManPage.text, key: "man")
    case .help: return text(HelpText.text(for: nil), key: "help")
    case .serve: return try runServe()
    case .watch: return try runWatch()
    case .import: return try runImport()
    case .export: return try runExport()
    case .pick: return try runPick()
    case .palettes: return try runPalettes()
    case .status: return try runStatus()
    case .add where invocation["value"] == "-": return try runAddingLines()
    case .resolve where asksForValue: return try runResolve()
    case _ where invocation.isForEachLine: return try runForEachLine()
    default:
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

  /// The answer of the API to this command.
  func call(_ parameters: JSON) throws(APIError) -> any Answer {
    try call(invocation.command, parameters)
  }

  /// The answer of the API to another command.
  func call(_ command: Command, _ parameters: JSON) throws(APIError) -> any Answer {
    let location = environment.location(home: options.home)
    // With --json the standard error holds one document at most, that of an error.
    if options.verbose, !options.json { program.console.note("hued: library \(location.home)\n") }
    let request = Request(method: command.name, parameters: parameters)
    let isSilent = options.json || options.quiet
    let line = showsProgress ? program.showProgress(work) : nil
    defer { line?.end() }
    let api = try program.makeAPI(location) { note in
      guard !isSilent else { return }
      let text = "hued: \(note)\n"
      if let line { line.note(text) } else { program.console.note(text) }
    } _: { progress throws(APIError) in
      if !progress.work.isEmpty { line?.update(progress) }
      try program.checkForInterruption()
    }
    return try api.call(request)
  }

  /// Whether a line tells how far long work is: on a terminal that can take it away again.
  private var showsProgress: Bool {
    environment.isErrorTerminal && environment.variables["TERM"] != "dumb" && !options.json
      && !options.quiet
  }

  /// What is being done, until more is known.
  private var work: String {
    switch invocation.command {
    case .backup: "Backing up"
    case .compact: "Compacting"
    case .doctor: "Checking"
    case .export: "Exporting"
    case .import: "Importing"
    case .join: "Connecting"
    case .recover: "Recovering"
    case .sync: "Syncing"
    default: "Working"
    }
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
      if !options.quiet { noteWhatStays(document) }
      return output
    }
    let bytes = answer.bytes
    var output = Output(output: bytes + [UInt8(ascii: "\n")])
    // Others are not read again.
    if Self.mayFail.contains(invocation.command) { output.exitCode = exitCode(try answer.json) }
    return output
  }

  /// The commands whose answer may say that something is wrong.
  private static let mayFail: Set<Command> = [.backup, .doctor, .import]

  private func exitCode(_ document: JSON) -> ExitCode {
    switch invocation.command {
    case .backup, .doctor: document["ok"].boolValue == false ? .storage : .done
    case .import:
      (document["files"].arrayValue ?? []).contains { !$0["error"].isNull } ? .badInput : .done
    default: .done
    }
  }

  /// Tells what undoing, or doing again, had to leave as it is, and what a history may lack.
  private func noteWhatStays(_ document: JSON) {
    if invocation.command == .history, let since = document["since"].stringValue {
      program.console.note("hued: changes before \(SafeText.line(since)) may be missing here\n")
    }
    if let absence = document["absent"].stringValue {
      let name = SafeText.line(document["palette"]["name"].stringValue ?? "")
      let time = SafeText.line(invocation["at"].stringValue ?? "")
      let reason = absence == "dropped" ? "was dropped then" : "did not exist yet"
      program.console.note("hued: '\(name)' \(reason) (\(time)), so there are no colors to list\n")
    }
    for skipped in document["skipped"].arrayValue ?? [] {
      let register = skipped["register"].stringValue.map { " (\($0))" } ?? ""
      let id = SafeText.line(skipped["id"].stringValue ?? "")
      let reason = SafeText.line(skipped["reason"].stringValue ?? "")
      program.console.note("hued: \(id)\(register) stays as it is: \(reason)\n")
    }
    let count = document["forgotten"].intValue ?? 0
    guard count > 0 else { return }
    program.console.note(
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
}
