import PalettePlatform

/// A measurement of a workload, printed as one JSON object a line.
struct Measurement {
  let workload: String

  /// The time that `body` takes, in seconds.
  static func seconds<Result>(_ body: () throws -> Result) rethrows -> (Double, Result) {
    let start = Platform.uptime
    let result = try body()
    return (Platform.uptime - start, result)
  }

  /// The processor time of this program so far, in seconds.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The processor time of another process so far, in seconds.
  static func processorSeconds(of process: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return .nan
    }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The greatest memory of this program so far, in MiB.
  ///
  /// `getrusage` would also count what the process was before it became this program.
  static var peakMebibytes: Double { peakMebibytes(of: "self") }

  /// The greatest memory of a process so far, in MiB.
  static func peakMebibytes(of process: String) -> Double {
    guard let file = fopen("/proc/\(process)/status", "r") else { return .nan }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
      .split(whereSeparator: \.isWhitespace)
      if words.first == "VmHWM:", let kibibytes = Double(words[1]) { return kibibytes / 1024 }
    }
    return .nan
  }

  /// Prints a value; the parameters are JSON members without braces.
  func emit(
    _ metric: String,
    _ value: Double,
    _ unit: String,
    _ parameters: String = "",
    peer: String = "ours"
  ) {
    let rest = parameters.isEmpty ? "" : ", \"params\": {\(parameters)}"
    print(
      """
      {"w": "\(workload)", "peer": "\(peer)", "metric": "\(metric)", "value": \(value), \
      "unit": "\(unit)"\(rest)}
      """
    )
    fflush(nil)
  }
}
