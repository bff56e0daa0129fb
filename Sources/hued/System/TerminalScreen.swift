import PalettePlatform

/// The terminal while a program has its whole screen: other screen, no cursor, keys at once.
///
/// Whoever enters it leaves it again on every path.
struct TerminalScreen {
  private var before = termios()
  private let readsKeys: Bool
  /// The further reports of the terminal: presses and the wheel of a mouse, and pastes as such.
  private let reports: [Int]

  /// Enters the screen.
  ///
  /// - Parameters:
  ///   - readsKeys: Whether the keyboard is on the standard input.
  ///   - readsMouse: Whether presses of a mouse and pastes are told apart from keys.
  init(readsKeys: Bool, readsMouse: Bool = false) {
    reports = readsMouse ? [1000, 1006, 2004] : []
    self.readsKeys = readsKeys && tcgetattr(STDIN_FILENO, &before) == 0
    enter()
  }

  /// Enters it, again after it was left.
  func enter() {
    if readsKeys {
      var raw = before
      // Signals still come from the keyboard, everything else byte by byte and unseen.
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }
    // The alternate screen, emptied; no cursor; lines that are too long end at the edge.
    Self.write(
      "\u{1B}[?1049h\u{1B}[2J\u{1B}[?25l\u{1B}[?7l" + reports.map { "\u{1B}[?\($0)h" }.joined()
    )
  }

  /// Gives the terminal back as it was.
  func leave() {
    Self.write(reports.map { "\u{1B}[?\($0)l" }.joined() + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    if readsKeys {
      var before = before
      tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
  }

  /// Shows as many lines as the window has rows, in place of those that are there.
  func draw(_ lines: [String]) {
    // All in one write, so that nothing flickers. A line is emptied first: behind a line that is as
    // wide as the window the cursor still stands on its last sign.
    Self.write("\u{1B}[H" + lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n"))
  }

  /// The size of the window now; nil where the terminal does not say.
  static var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
    else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Sends what is text and escape sequences already.
  func send(_ text: String) { Self.write(text) }

  private static func write(_ text: String) {
    // A terminal that is gone is told by its signal.
    _ = Platform.writeAll(text.utf8, to: STDOUT_FILENO)
  }
}
