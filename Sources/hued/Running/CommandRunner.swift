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
      isVerbose: options.verbose
    )
  }

  func run() throws(APIError) -> Answer {
    switch invocation.verb {
    case .completion: return completion()
    case .man: return text(ManPage.text, key: "man")
    case .help: return text(HelpText.text(for: nil), key: "help")
    case .serve: return try runServe()
    case .watch: return try runWatch()
    case .import: return try runImport()
    case .export: return try runExport()
    case .drop:
      let palette = SafeText.line(invocation["palette"].stringValue ?? "")
      try confirm("Drop the palette '\(palette)' with all its colors?")
    case .compact:
      try confirm("Forget old history? This cannot be undone.")
    case .recover:
      let file = SafeText.line(invocation["file"].stringValue ?? "")
      try confirm("Replace the library by '\(file)'?")
    case .backup:
      try confirmReplacing(absoluteFile)
    case .new, .palettes, .title, .list, .add, .set, .rename, .note, .move, .remove, .restore,
      .tweak, .undo, .redo, .history, .conflicts, .resolve, .formats, .color, .convert, .contrast,
      .name, .status, .doctor, .config, .share, .join, .leave, .open, .peers, .token, .tokens,
      .revoke,
      .sync:
      break
    }
    return try show(try call(try parameters()))
  }

  /// The answer of the API to this command.
  func call(_ parameters: JSON) throws(APIError) -> [UInt8] {
    let location = environment.location(home: options.home)
    // With --json the standard error holds one document at most, that of an error.
    if options.verbose, !options.json { program.console.note("hued: library \(location.home)\n") }
    let request = Request(method: invocation.verb.rawValue, parameters: parameters)
    let isSilent = options.json || options.quiet
    let showsProgress = invocation.verb == .sync && environment.isErrorTerminal && !isSilent
    let api = try program.makeAPI(location) { note in
      if !isSilent { program.console.note("hued: \(note)\n") }
    } _: { progress in
      guard showsProgress else { return }
      program.console.note(ProgressBar.line(progress, columns: environment.columns))
    }
    defer { if showsProgress { program.console.note(ProgressBar.end) } }
    return try api.call(request)
  }

  /// The document as it is for scripts, or as text for people.
  func show(_ bytes: [UInt8]) throws(APIError) -> Answer {
    let needsReading = !options.json || invocation.verb == .doctor || invocation.verb == .import
    guard needsReading else { return Answer(output: bytes + [UInt8(ascii: "\n")]) }
    let document = try JSON(answer: bytes)
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    var answer =
      options.json
      ? Answer(output: bytes + [UInt8(ascii: "\n")]) : renderer.answer(for: document)
    if invocation.verb == .undo || invocation.verb == .redo, !options.json, !options.quiet {
      noteWhatStays(document)
    }
    if invocation.verb == .history, let since = document["since"].stringValue, !options.json,
      !options.quiet
    {
      program.console.note("hued: changes before \(SafeText.line(since)) may be missing here\n")
    }
    if invocation.verb == .doctor, document["ok"].boolValue == false { answer.exitCode = .storage }
    if invocation.verb == .import,
      (document["files"].arrayValue ?? []).contains(where: { !$0["error"].isNull })
    {
      answer.exitCode = .badInput
    }
    return answer
  }

  /// Tells what undoing, or doing again, had to leave as it is.
  private func noteWhatStays(_ document: JSON) {
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

  private func completion() -> Answer {
    let shell = invocation["shell"].stringValue.flatMap(Completion.init)
    return text(shell?.script ?? "", key: "completion")
  }

  private func text(_ text: String, key: String) -> Answer {
    options.json ? Program.line(JSON([(key: key, value: JSON(text))])) : Answer(text)
  }
}
