import PaletteClient
import PaletteCommands
import PaletteMerge
import PalettePlatform
import PaletteProgram

/// `watch` on a terminal: events, keys, signals and time come together here and become screens.
struct WatchSession {
  private enum Event: Sendable {
    case palette([UInt8])
    case unsynced
    case ended(APIError)
    case signal(CInt)
  }

  /// The reason for its end.
  enum End: Equatable {
    case quit
    case timedOut
    case signal(CInt)
    case failed(APIError)
  }

  private var screen: WatchScreen
  private let queue: EventQueue<Event>
  private let deadline: Double
  private let isWithoutUnicode: Bool

  /// Begins to follow a palette; nothing is shown yet.
  ///
  /// - Parameters:
  ///   - follower: What follows the palette.
  ///   - renderer: How colors are shown.
  ///   - timeoutSeconds: After how long it ends by itself.
  ///   - isWithoutUnicode: Whether the terminal shows ASCII only.
  /// - Throws: `failed` when the system has no pipe or thread left.
  init(
    _ follower: PaletteFollower,
    renderer: TextRenderer,
    timeoutSeconds: Double?,
    isWithoutUnicode: Bool
  ) throws(APIError) {
    let signals = ScreenSignals.block()
    let queue = try EventQueue<Event>()
    self.queue = queue
    self.isWithoutUnicode = isWithoutUnicode
    deadline = TerminationSignals.deadline(afterSeconds: timeoutSeconds)
    let size = TerminalScreen.size ?? (24, renderer.presentation.columns)
    screen = WatchScreen(renderer: renderer, rows: size.rows, columns: size.columns)
    try Background.run { while let signal = signals.wait() { queue.push(.signal(signal)) } }
    try Background.run {
      do throws(APIError) {
        try follower.follow {
          queue.push(.unsynced)
        } event: { event throws(APIError) in
          queue.push(.palette(event))
        }
      } catch {
        queue.push(.ended(error))
      }
    }
  }

  /// Shows the palette until something ends that; the terminal is as before then.
  ///
  /// - Returns: Why it ended, and what was shown last.
  mutating func run(readsKeys: Bool) -> (end: End, lastState: String) {
    var isKnown = false
    var terminal: TerminalScreen?
    defer { terminal?.leave() }
    var shown: [String] = []
    var readsKeys = readsKeys
    while true {
      let now = Self.moment
      let left = (deadline - Platform.uptime) * 1000
      guard left > 0 else { return (.timedOut, isKnown ? screen.lastState(at: now) : "") }
      let pause = isKnown ? screen.millisecondsToNextChange(at: now) : 20_000
      let (events, hasKeys) = queue.wait(
        milliseconds: min(pause, Int(min(left, 1e6)) + 1),
        withKeyboard: readsKeys && isKnown
      )
      var end: End?
      for event in events where end == nil {
        switch event {
        case .unsynced: screen.warn("No node runs: only edits on this machine show")
        case .palette(let bytes):
          do throws(APIError) {
            try screen.apply(bytes, at: Self.moment)
            isKnown = true
          } catch {
            end = .failed(error)
          }
        case .ended(let error): end = .failed(error)
        case .signal(SIGWINCH):
          if let size = TerminalScreen.size {
            screen.resize(rows: size.rows, columns: size.columns)
            shown = []
          }
        case .signal(SIGTSTP):
          terminal?.leave()
          kill(getpid(), SIGSTOP)
          terminal?.enter()
          shown = []
        case .signal(let signal): end = .signal(signal)
        }
      }
      if hasKeys, end == nil {
        switch Self.keys() {
        case nil: readsKeys = false
        case let keys?: for key in keys where !screen.press(key) { end = .quit }
        }
      }
      if let end { return (end, isKnown ? screen.lastState(at: Self.moment) : "") }
      guard isKnown else { continue }
      // Before the palette is known there may be an error, which belongs on the normal screen.
      if terminal == nil { terminal = TerminalScreen(readsKeys: readsKeys) }
      var lines = screen.lines(at: Self.moment)
      if isWithoutUnicode { lines = lines.map(Glyphs.inASCII) }
      if lines != shown { terminal?.draw(lines) }
      shown = lines
    }
  }

  /// The keys that were pressed; nil where the keyboard is gone.
  private static func keys() -> [WatchScreen.Key]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Platform.retried { read(STDIN_FILENO, &bytes, bytes.count) }
    return count > 0 ? WatchScreen.Key.keys(Array(bytes.prefix(count))) : nil
  }

  private static var moment: Moment { Environment.now }
}

/// The signals that a program with the whole screen has to take care of.
struct ScreenSignals: Sendable {
  private let set: sigset_t

  /// Blocks the signals in this thread and in those that it starts.
  static func block() -> ScreenSignals {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return ScreenSignals(set: set)
  }

  /// Waits for the next one.
  func wait() -> CInt? {
    var set = set
    while true {
      let signal = sigwaitinfo(&set, nil)
      if signal > 0 { return signal }
      guard errno == EINTR else { return nil }
    }
  }
}
