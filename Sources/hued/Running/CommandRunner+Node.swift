import PaletteClient
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteNode
import PalettePlatform
import PaletteProgram
import PaletteWebPage

extension CommandRunner {
  /// Runs a node until a signal, or the time limit, ends it.
  func runServe() throws(APIError) -> Output {
    let signals = TerminationSignals.block()
    let manager = ServiceManager(environment.variables)
    let node = try startNode(try nodeSettings())
    do throws(OutputError) {
      let page = node.pageLink.map { "open \($0)\n" } ?? ""
      try program.console.write(Array("hued ready \(node.url)\n\(page)".utf8))
    } catch {
      // Whoever started the node may not care where it is.
      if case .failed(let reason) = error {
        node.stop()
        throw APIError(code: "failed", message: "the ready line cannot be written: \(reason)")
      }
    }
    manager?.tell("READY=1\nSTATUS=Serving \(node.url)")
    let signal = signals.waitForEnd(
      within: options.timeoutSeconds,
      hasTerminal: environment.isErrorTerminal,
      manager,
      reload: { node.reloadCertificate() },
      whenFree: { node.whenFree($0) }
    )
    manager?.tell("STOPPING=1")
    node.stop(because: signal.map(TerminationSignals.name) ?? "the time limit")
    return Output(output: [], exitCode: signal == nil ? .timedOut : .done)
  }

  private func startNode(_ settings: NodeSettings) throws(APIError) -> Node {
    let location = environment.location(home: options.home)
    do throws(APIError) {
      return try Node(at: location, settings: settings)
    } catch {
      // Most who start a second node only forgot the first.
      guard error.code == "locked",
        let api = try? program.makeAPI(location, { _ in }, { _ in }),
        let answer = try? api.call(Request(method: Command.status.name)).json
      else { throw error }
      let status = Received<StatusAnswer>(answer)
      guard status.isRunning else { throw error }
      let urls = status.listening
      throw APIError(
        code: error.code,
        message: "a node runs here already"
          + (urls.isEmpty ? "" : ": \(urls.joined(separator: ", "))"),
        hint: "'hued status' shows its state, 'hued open' a link to its page"
      )
    }
  }

  private func nodeSettings() throws(APIError) -> NodeSettings {
    var settings = NodeSettings()
    try settings.take(
      { invocation[$0].stringValue },
      isBehindProxy: invocation["behind-proxy"].boolValue == true,
      absolute: environment.absolute
    )
    let passed = ServiceManager.passedSockets(environment.variables)
    if let descriptor = passed.first {
      guard passed.count == 1, invocation["listen"].isNull else {
        throw .usage(
          passed.count == 1
            ? "the service manager passes the socket, so --listen says nothing"
            : "the service manager passes \(passed.count) sockets, and a node listens on one",
          hint: "see ListenStream in the unit hued.socket"
        )
      }
      try settings.listen(onPassed: descriptor)
    }
    for origin in invocation["allow-origin"].arrayValue ?? [] {
      let text = origin.stringValue ?? ""
      settings.allowedOrigins.append(try NodeSettings.checkedURL(text, flag: "allow-origin"))
    }
    if let text = invocation["quota"].stringValue {
      guard let bytes = Self.bytes(text) else {
        throw .usage("--quota needs a number of bytes such as 500M, not '\(text)'")
      }
      settings.quotaBytes = bytes
    }
    settings.page = .hued
    settings.echoes = invocation["enable-echo"].boolValue == true
    let writer = LogWriter(
      level: options.quiet ? .warning : options.verbose ? .debug : .info,
      isTerminal: environment.isErrorTerminal
    )
    settings.log = { line in writer.write(line) }
    return settings
  }

  /// A number of bytes with the letter that may end it.
  private static func bytes(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = text.uppercased().last.flatMap { shifts[$0] }
    guard let number = Int(shift == nil ? text[...] : text.dropLast()), number > 0,
      number <= Int.max >> (shift ?? 0)
    else { return nil }
    return number << (shift ?? 0)
  }

  /// Shows a palette and everything that happens to it, until it is interrupted.
  func runWatch() throws(APIError) -> Output {
    let follower = PaletteFollower(
      invocation["palette"].stringValue ?? "",
      at: environment.location(home: options.home),
      seenAs: invocation.hasScreen(environment) ? environment.userName : nil
    )
    if invocation.hasScreen(environment) { return try runWatchScreen(follower) }
    var lines = presentation
    lines.isTerminal = false
    let steps = WatchSteps(renderer: TextRenderer(presentation: lines, invocation: invocation))
    do throws(APIError) {
      try follower.follow {
        guard !options.quiet else { return }
        program.console.writeError("hued: no node runs, so nothing is synced; following the file\n")
      } event: { event throws(APIError) in
        let isJSON = options.json
        let lines = isJSON ? event + [UInt8(ascii: "\n")] : Array(try steps.text(event).utf8)
        guard try write(lines) else { throw Self.closedPipe }
      }
    } catch {
      // Who has seen enough of the output has seen enough.
      guard error == Self.closedPipe else { throw error }
    }
    return Output("")
  }

  /// Watches on the whole screen until something ends it, and prints the last state afterwards.
  private func runWatchScreen(_ follower: PaletteFollower) throws(APIError) -> Output {
    var session = try WatchSession(
      follower,
      renderer: TextRenderer(presentation: presentation, invocation: invocation),
      timeoutSeconds: options.timeoutSeconds,
      isWithoutUnicode: environment.isWithoutUnicode
    )
    let (end, lastState) = session.run(readsKeys: environment.isInputTerminal)
    var output = Output(environment.isWithoutUnicode ? Glyphs.inASCII(lastState) : lastState)
    switch end {
    case .quit: return output
    case .signal(SIGINT):
      output.exitCode = .interrupted
      return output
    case .signal(let signal):
      _ = try write(output.output)
      // Whoever sent it wants to see that it was the signal.
      TerminationSignals.die(of: signal)
    case .failed(let error):
      _ = try write(output.output)
      throw error
    case .timedOut:
      _ = try write(output.output)
      throw APIError(code: "timed-out", message: "timed out")
    }
  }

  private static let closedPipe = APIError(code: "closed-pipe", message: "")

  /// Shows palettes, page by page; those of a page are written before the next one is asked for.
  func runPalettes() throws(APIError) -> Output {
    var pages = PalettePages(parameters: try parameters())
    if presentation.isTerminal, presentation.depth != .none, !options.json { pages.askForStrips() }
    let answer = try pages.next(self)
    // Whoever says how many gets one page.
    guard pages.hasMore, invocation["limit"].isNull else { return try show(answer) }
    if options.json { return try writeJSON(try answer.json, &pages) }
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    // A table is as wide as its widest line.
    guard !presentation.isTerminal else {
      var palettes = Received<PalettesAnswer>(try answer.json).palettes
      while pages.hasMore {
        palettes += Received<PalettesAnswer>(try pages.next(self).json).palettes
      }
      return Output(renderer.palettes(palettes))
    }
    var document = try answer.json
    while true {
      let output = renderer.output(for: document)
      guard pages.hasMore, try write(output.output) else { return output }
      document = try pages.next(self).json
    }
  }

  /// Writes one document, as if it had come in one piece.
  private func writeJSON(
    _ first: JSON,
    _ pages: inout PalettePages
  ) throws(APIError) -> Output {
    var document = first
    var start = Array(#"{"palettes":["#.utf8)
    while true {
      let list = document["palettes"]?.bytes ?? []
      let part = start + list.dropFirst().dropLast()
      guard pages.hasMore, try write(part) else {
        return Output(output: part + Array("]}\n".utf8))
      }
      start = [UInt8(ascii: ",")]
      document = try pages.next(self).json
    }
  }

  /// Writes a part of the output; false where nobody reads it.
  private func write(_ bytes: [UInt8]) throws(APIError) -> Bool {
    do throws(OutputError) {
      try program.console.write(bytes)
      return true
    } catch {
      switch error {
      case .closedPipe: return false
      case .failed(let reason):
        throw APIError(
          code: "failed",
          message: "the result cannot be written to the standard output: \(reason)"
        )
      }
    }
  }
}

extension Invocation {
  /// Returns whether it takes the whole screen: `watch` or `edit` on a terminal that can be drawn
  /// on.
  func hasScreen(_ environment: Environment) -> Bool {
    [.watch, .edit].contains(command) && environment.isOutputTerminal && !options.json
      && environment.variables["TERM"] != "dumb"
  }
}

/// Asks for palettes, page by page.
private struct PalettePages {
  private var parameters: JSONObject
  private(set) var hasMore = true

  init(parameters: JSON) {
    self.parameters = parameters.objectValue ?? JSONObject([])
  }

  /// Asks for the first colors of each palette too.
  mutating func askForStrips() {
    parameters["strip"] = .integer(Int64(TextRenderer.stripLimit))
  }

  /// The next page.
  mutating func next(_ runner: CommandRunner) throws(APIError) -> any Answer {
    let answer = try runner.call(.object(parameters))
    let page = Received<PalettesAnswer>(try answer.json)
    let last = page.palettes.last
    parameters["after"] = last.map { .string($0.id) } ?? .null
    // A page of nothing would be asked for again and again.
    hasMore = page.hasMore && last != nil
    return answer
  }
}
