import PaletteCommands
import PalettePlatform
import PaletteProgram

/// The standard streams of this process.
struct SystemConsole: Console {
  func write(_ bytes: [UInt8]) throws(OutputError) {
    guard Platform.writeAll(bytes, to: STDOUT_FILENO) else {
      throw errno == EPIPE ? .closedPipe : .failed(Platform.failureReason)
    }
  }

  func writeError(_ text: String) {
    _ = Platform.writeAll(text.utf8, to: STDERR_FILENO)
  }

  func readLine() -> String? { Swift.readLine() }

  func readAll(limit: Int) throws(APIError) -> [UInt8] {
    try File.read(STDIN_FILENO, named: "the standard input", limit: limit)
  }

  /// A line on the terminal of the standard error.
  static func progressLine(of work: String) -> ProgressLine? {
    let line = ProgressLine(work) {
      var size = winsize()
      return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        ? Int(size.ws_col) : 80
    } write: { text in
      _ = Platform.writeAll(text.utf8, to: STDERR_FILENO)
    }
    line.start()
    return line
  }
}

/// Shows long output with the program that the user chose for that.
enum Pager {
  /// Becomes the pager, with some bytes as its input; returns only where that fails.
  ///
  /// The bytes are in a file without a name, so nobody has to stay behind to feed a pipe, and the
  /// keyboard's signals are the pager's alone.
  static func become(_ command: String, showing bytes: [UInt8]) {
    guard let file = tmpfile() else { return }
    let descriptor = fileno(file)
    guard Platform.writeAll(bytes, to: descriptor), lseek(descriptor, 0, SEEK_SET) == 0,
      dup2(descriptor, STDIN_FILENO) == STDIN_FILENO
    else { return }
    // As git does: quit where all fits, keep colors, leave the screen as it is.
    setenv("LESS", "FRX", 0)
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_DFL)
    let words = ["sh", "-c", command]
    var arguments = words.map { word in strdup(word) } + [nil]
    execv("/bin/sh", &arguments)
    for argument in arguments { free(argument) }
  }

  /// Returns whether a file is a program.
  static func isInstalled(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
