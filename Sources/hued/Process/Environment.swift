import PaletteCommands
import PaletteMerge

/// The surroundings of the process, as far as they matter.
struct Environment {
  /// The variables that are looked at.
  static let variableNames = [
    "HUED_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "NO_COLOR", "COLORTERM", "TERM",
    "USER", "PAGER", "PATH", "LC_ALL", "LC_CTYPE", "LANG", "NOTIFY_SOCKET", "WATCHDOG_USEC",
    "WATCHDOG_PID", "LISTEN_PID",
    "LISTEN_FDS",
  ]

  var variables: [String: String] = [:]
  var workingDirectory = "/"
  var isInputTerminal = false
  var isOutputTerminal = false
  var isErrorTerminal = false
  /// The width of the terminal.
  var columns = 80
  /// The height of the terminal; nil where it does not say.
  var rows: Int?
  /// The time at which the program began.
  var now = Moment(milliseconds: 0)

  /// The library that flag and variables lead to.
  func location(home flag: String?) -> LibraryLocation {
    if let home = flag ?? nonEmpty("HUED_HOME") {
      let home = absolute(home)
      return LibraryLocation(home: home, configurationFile: home + "/config.json")
    }
    let user = nonEmpty("HOME") ?? "/"
    // The XDG specification says that relative paths in its variables are to be ignored.
    let data = nonEmpty("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let configuration = nonEmpty("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return LibraryLocation(
      home: (data ?? user + "/.local/share") + "/hued",
      configurationFile: (configuration ?? user + "/.config") + "/hued/config.json"
    )
  }

  /// True if a locale is set whose characters are not those of Unicode.
  var isWithoutUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(nonEmpty).first?.lowercased()
    return locale.map { !$0.contains("utf-8") && !$0.contains("utf8") } ?? false
  }

  /// The user's name as others see it who look at a palette.
  var userName: String { nonEmpty("USER") ?? "somebody" }

  /// The local form of times, as git decides it.
  ///
  /// - Parameter isInstalled: Whether there is a program at a path.
  /// - Returns: A command of the shell; nil where none is wished, or there is none.
  func pager(isInstalled: (String) -> Bool) -> String? {
    if let pager = variables["PAGER"] { return ["", "cat"].contains(pager) ? nil : pager }
    guard variables["TERM"] != "dumb" else { return nil }
    let folders = (variables["PATH"] ?? "").split(separator: ":")
    return folders.contains { isInstalled("\($0)/less") } ? "less" : nil
  }

  /// A path that stays the same for a node that runs in another folder.
  func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    return workingDirectory + (workingDirectory.hasSuffix("/") ? "" : "/") + path
  }

  private func nonEmpty(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
