import PalettePlatform

/// The surroundings of this process.
enum Machine {
  /// The name of this machine.
  static var name: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "hub" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    return name.isEmpty ? "hub" : name
  }

  /// The folder in which relative paths begin.
  private static var workingDirectory: String {
    guard let folder = getcwd(nil, 0) else { return "/" }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// A path from the root on.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }

  /// The variables of the environment that matter.
  static var variables: [String: String] {
    let names = [
      "HUED_DATABASE", "XDG_CACHE_HOME", "HOME", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
    ]
    var variables: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// The first line of a credential that the service manager has passed on; nil where there is none.
  ///
  /// - Parameter name: The name of the credential.
  /// - Returns: The line.
  static func credential(_ name: String) -> String? {
    guard let folder = getenv("CREDENTIALS_DIRECTORY"),
      let file = fopen(String(cString: folder) + "/" + name, "r")
    else { return nil }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 4096)
    guard fgets(&bytes, CInt(bytes.count), file) != nil else { return nil }
    let line = bytes.prefix { $0 != 0 && $0 != 0x0A }
    return String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Overwrites the value of `--database` where everybody on this machine can read it.
  static func hideDatabase() {
    var isNext = false
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index] else { continue }
      let text = String(cString: word)
      let flag = "--database="
      if isNext {
        memset(word, CInt(UInt8(ascii: "x")), strlen(word))
      } else if text.hasPrefix(flag) {
        memset(word + flag.utf8.count, CInt(UInt8(ascii: "x")), strlen(word) - flag.utf8.count)
      }
      isNext = text == "--database" && !isNext
    }
  }
}
