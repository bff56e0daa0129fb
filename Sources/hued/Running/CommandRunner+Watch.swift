import PaletteClient
import PaletteCommands
import PaletteFormats
import PalettePlatform

extension CommandRunner {
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
        program.console.note("hued: no node runs, so nothing is synced; following the file\n")
      } event: { event throws(APIError) in
        let isJSON = options.json
        try write(isJSON ? event + [UInt8(ascii: "\n")] : Array(try steps.text(event).utf8))
      }
    } catch {
      // Who has seen enough of the output has seen enough.
      guard error == Self.closedPipe else { throw error }
    }
    return Output("")
  }

  /// Has the whole screen until something ends that, and leaves behind what was on it.
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
      try write(output.output)
      // Whoever sent it wants to see that it was the signal.
      TerminationSignals.die(of: signal)
    case .failed(let error):
      try write(output.output)
      throw error
    case .timedOut:
      try write(output.output)
      throw APIError(code: "timed-out", message: "timed out")
    }
  }

  private static let closedPipe = APIError(code: "closed-pipe", message: "")

  private func write(_ bytes: [UInt8]) throws(APIError) {
    do throws(OutputError) {
      try program.console.write(bytes)
    } catch {
      switch error {
      case .closedPipe: throw Self.closedPipe
      case .failed(let reason):
        throw APIError(code: "failed", message: "the standard output takes no more: \(reason)")
      }
    }
  }
}

extension Invocation {
  /// Whether it takes the whole screen: `watch` on a terminal that can be drawn on.
  func hasScreen(_ environment: Environment) -> Bool {
    command == .watch && environment.isOutputTerminal && !options.json
      && environment.variables["TERM"] != "dumb"
  }
}
