import PalettePlatform

/// What the calls of the system have in common.
enum SystemCall {
  /// The reason why the last call failed.
  static var reason: String { strerror(errno).map { String(cString: $0) } ?? "unknown reason" }

  /// The result of a call that is made again when a signal cut it short.
  static func retried(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
