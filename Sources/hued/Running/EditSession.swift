import PaletteClient
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteModel
import PalettePlatform
import PaletteProgram

/// `edit` on a terminal: carries out what the editor wants, and tells it what happens.
struct EditSession {
  private enum Event: Sendable {
    case editor([UInt8])
    case unsynced
    case answered(Command, JSON)
    case failed(APIError)
    case ended(APIError)
    case signal(CInt)
  }

  private var state: EditorState
  private var decoder = KeyDecoder()
  private let queue: EventQueue<Event>
  private let requests: EventQueue<Request>
  private let depth: ColorDepth
  private let isWithoutUnicode: Bool
  private let deadline: Double

  /// The time that an escape may be the begin of a longer key.
  private static let escapeMilliseconds = 50
  /// The time that to wait before the palette is followed again after its node ended.
  private static let pause: UInt32 = 300_000

  /// Begins to follow a palette; nothing is shown yet.
  init(
    _ palette: String,
    at location: LibraryLocation,
    seenAs name: String,
    depth: ColorDepth,
    isWithoutUnicode: Bool,
    timeoutSeconds: Double?
  ) throws(APIError) {
    let signals = ScreenSignals.block()
    let queue = try EventQueue<Event>()
    let requests = try EventQueue<Request>()
    (self.queue, self.requests, self.depth) = (queue, requests, depth)
    self.isWithoutUnicode = isWithoutUnicode
    deadline = TerminationSignals.deadline(afterSeconds: timeoutSeconds)
    let size = TerminalScreen.size ?? (24, 80)
    state = EditorState(rows: size.rows, columns: size.columns)
    try Background.run { while let signal = signals.wait() { queue.push(.signal(signal)) } }
    try Background.run { Self.follow(palette, at: location, seenAs: name, queue) }
    try Background.run {
      let client = LibraryClient(at: location)
      while true {
        for request in requests.wait(milliseconds: 60_000, withKeyboard: false).events {
          guard let command = CommandTable.command(named: request.method) else { continue }
          do throws(APIError) {
            queue.push(.answered(command, try client.call(request).json))
          } catch {
            queue.push(.failed(error))
          }
        }
      }
    }
  }

  /// Follows a palette, also when the node that tells of it ends and another one begins.
  private static func follow(
    _ palette: String,
    at location: LibraryLocation,
    seenAs name: String,
    _ queue: EventQueue<Event>
  ) {
    let follower = PaletteFollower(palette, at: location, seenAs: name)
    var isKnown = false
    while true {
      var isUnsynced = false
      do throws(APIError) {
        try follower.follow {
          isUnsynced = true
        } event: { event throws(APIError) in
          isKnown = true
          queue.push(.editor(event))
          if isUnsynced { queue.push(.unsynced) }
        }
      } catch {
        guard isKnown, error.code != "not-found" else { return queue.push(.ended(error)) }
        usleep(pause)
      }
    }
  }

  /// Runs the editor until something ends it, and restores the terminal.
  mutating func run() -> WatchSession.End {
    var terminal: TerminalScreen?
    defer { terminal?.leave() }
    var shown: ScreenCanvas?
    var isEnding = false
    while true {
      guard deadline > Platform.uptime else { return .timedOut }
      let left = Int(min((deadline - Platform.uptime) * 1000, 1e6)) + 1
      let pause =
        decoder.isWaiting
        ? Self.escapeMilliseconds : state.hasFlashes(at: Environment.now) ? 500 : 20_000
      let (events, hasKeys) = queue.wait(
        milliseconds: min(pause, left),
        withKeyboard: terminal != nil
      )
      for event in events {
        switch event {
        case .ended(let error): return .failed(error)
        case .signal(SIGWINCH):
          if let size = TerminalScreen.size {
            handle(.resize(rows: size.rows, columns: size.columns), terminal, &isEnding)
          }
          shown = nil
        case .signal(SIGTSTP):
          terminal?.leave()
          kill(getpid(), SIGSTOP)
          terminal?.enter()
          shown = nil
        case .signal(let signal): return .signal(signal)
        case .unsynced: handle(.unsynced, terminal, &isEnding)
        case .answered(let command, let answer):
          handle(.answered(command, answer), terminal, &isEnding)
        case .failed(let error): handle(.failed(error), terminal, &isEnding)
        case .editor(let bytes):
          do throws(APIError) {
            handle(.palette(try JSON(answer: bytes)), terminal, &isEnding)
          } catch { return .failed(error) }
          // Before the palette is known there may be an error, which belongs on the normal screen.
          if terminal == nil { terminal = TerminalScreen(readsKeys: true, readsMouse: true) }
        }
      }
      if hasKeys || decoder.isWaiting && events.isEmpty {
        guard let inputs = inputs(hasKeys) else { return .quit }
        for input in inputs { handle(.input(input), terminal, &isEnding) }
      }
      // An edit that is on its way is not lost by leaving.
      if isEnding, state.pending == 0 { return .quit }
      guard let terminal else { continue }
      let canvas = EditorScreen.canvas(of: state, at: Environment.now)
      let changes = TerminalFrame.changes(from: shown, to: canvas, depth: depth)
      if !changes.isEmpty { terminal.send(isWithoutUnicode ? Glyphs.inASCII(changes) : changes) }
      shown = canvas
    }
  }

  /// The keys that were pressed; nil where the keyboard is gone.
  private mutating func inputs(_ hasKeys: Bool) -> [TerminalInput]? {
    guard hasKeys else { return decoder.inputs([], isAll: true) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Platform.retried { read(STDIN_FILENO, &bytes, bytes.count) }
    return count > 0 ? decoder.inputs(Array(bytes.prefix(count))) : nil
  }

  private mutating func handle(
    _ event: EditorEvent,
    _ terminal: TerminalScreen?,
    _ isEnding: inout Bool
  ) {
    for action in state.handle(event, at: Environment.now) {
      switch action {
      case .call(let command, let parameters):
        requests.push(Request(method: command.name, parameters: parameters))
      case .copy(let text):
        let bytes = JSON(base64: Array(text.utf8)).stringValue ?? ""
        terminal?.send("\u{1B}]52;c;\(bytes)\u{07}")
      case .beep: terminal?.send("\u{07}")
      case .quit: isEnding = true
      }
    }
  }
}

extension CommandRunner {
  /// Edits a palette on the whole screen until something ends that.
  func runEdit() throws(APIError) -> Output {
    guard invocation.hasScreen(environment), environment.isInputTerminal else {
      throw .usage(
        "'hued edit' needs a terminal",
        hint: "'hued set', 'hued add' and others edit without one"
      )
    }
    var session = try EditSession(
      invocation["palette"].stringValue ?? "",
      at: environment.location(home: options.home),
      seenAs: environment.userName,
      depth: ColorDepth.chooseForScreen(options.color ?? .auto, variables: environment.variables),
      isWithoutUnicode: environment.isWithoutUnicode,
      timeoutSeconds: options.timeoutSeconds
    )
    switch session.run() {
    case .quit: return Output("")
    case .signal(SIGINT): return Output(output: [], exitCode: .interrupted)
    case .signal(let signal): TerminationSignals.die(of: signal)
    case .failed(let error): throw error
    case .timedOut: throw APIError(code: "timed-out", message: "timed out")
    }
  }
}
