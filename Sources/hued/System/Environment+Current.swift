import PaletteMerge
import PalettePlatform

extension Environment {
  /// The surroundings of this process.
  static var current: Environment {
    var environment = Environment()
    for name in variableNames {
      if let value = getenv(name) { environment.variables[name] = String(cString: value) }
    }
    if environment.variables["HOME"] == nil, let user = getpwuid(getuid()) {
      environment.variables["HOME"] = String(cString: user.pointee.pw_dir)
    }
    if let folder = getcwd(nil, 0) {
      environment.workingDirectory = String(cString: folder)
      free(folder)
    }
    environment.isInputTerminal = isatty(STDIN_FILENO) == 1
    environment.isOutputTerminal = isatty(STDOUT_FILENO) == 1
    environment.isErrorTerminal = isatty(STDERR_FILENO) == 1
    environment.now = now
    var size = winsize()
    let screen = environment.isOutputTerminal ? STDOUT_FILENO : STDERR_FILENO
    if environment.isOutputTerminal || environment.isErrorTerminal,
      ioctl(screen, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    {
      environment.columns = Int(size.ws_col)
      if size.ws_row > 0 { environment.rows = Int(size.ws_row) }
    }
    return environment
  }

  /// The present moment.
  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
