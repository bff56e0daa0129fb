internal import PalettePlatform

/// The system's figures of this process, under the names that every exporter of Prometheus uses.
///
/// Most of it is read from `/proc`, so it is there on Linux only.
struct ProcessNumbers {
  let cpuSeconds: Double
  let residentBytes: Int?
  private let virtualBytes: Int?
  let openDescriptors: Int?
  let maximalDescriptors: Int
  /// The start of the process, in seconds since 1970.
  let startSeconds: Double?

  /// Asks the system; what it does not tell is left out.
  init() {
    let usage = Platform.usage
    let times = [usage.ru_utime, usage.ru_stime]
    cpuSeconds = times.reduce(0.0) { (sum: Double, time: timeval) in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
    let pages = Self.read("/proc/self/statm").split(separator: " ").compactMap { Int($0) }
    let pageBytes = sysconf(CInt(_SC_PAGESIZE))
    virtualBytes = pages.first.map { $0 * pageBytes }
    residentBytes = pages.count > 1 ? pages[1] * pageBytes : nil
    openDescriptors = Self.countEntries(of: "/proc/self/fd")
    maximalDescriptors = Int(clamping: Platform.openFileLimit?.rlim_cur ?? 0)
    startSeconds = Self.start
  }

  /// The start does not change; counted in ticks since the machine's.
  private static let start: Double? = {
    // The name of the program may hold spaces, and ends with the last parenthesis.
    let fields = read("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
    let boot = read("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
    guard fields.count > 19, let ticks = Double(fields[19]),
      let second = boot.flatMap({ Double($0.dropFirst(6)) })
    else { return nil }
    return second + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
  }()

  /// The beginning of a small file of the system's; empty where it cannot be read.
  private static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while text.count < 1 << 20 {
      let count = PalettePlatform.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func countEntries(of path: String) -> Int? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Not "." and "..", and not the descriptor that this was read with.
    return count - 3
  }

  /// Writes all of it.
  func write(to text: inout MetricsText) {
    text.add(.counter, "process_cpu_seconds_total", "Processor time used.", cpuSeconds)
    add(.gauge, "process_resident_memory_bytes", "Memory in use.", residentBytes, to: &text)
    add(.gauge, "process_virtual_memory_bytes", "Addresses in use.", virtualBytes, to: &text)
    add(.gauge, "process_open_fds", "Open file descriptors.", openDescriptors, to: &text)
    text.add(.gauge, "process_max_fds", "The most descriptors it may open.", maximalDescriptors)
    text.add(
      .gauge,
      "process_start_time_seconds",
      "When the process began, since 1970.",
      startSeconds.map { [MetricsText.Sample([], $0)] } ?? []
    )
  }

  private func add(
    _ kind: MetricsText.Kind,
    _ name: String,
    _ help: String,
    _ value: Int?,
    to text: inout MetricsText
  ) {
    text.add(kind, name, help, value.map { [MetricsText.Sample([], Double($0))] } ?? [])
  }
}
