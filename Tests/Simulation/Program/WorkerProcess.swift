import PalettePlatform

/// A worker, as its overseer sees it: a process and the lines that it says.
struct WorkerProcess {
  /// The seed that it is at.
  var current: UInt64?
  /// The lines of a report so far.
  var report: [String] = []
  private(set) var hasEnded = false
  private(set) var signal: Int32 = 0
  private let arguments: Arguments
  private let end: UInt64
  private let stride: UInt64
  private var process: pid_t = 0
  private var descriptor: Int32 = -1
  private var text: [UInt8] = []

  init(_ arguments: Arguments, seeds: UInt64, share: UInt64, stride: UInt64) {
    self.arguments = arguments
    end = arguments.seed + seeds
    self.stride = stride
    start(from: arguments.seed + share)
  }

  mutating func restart(behind seed: UInt64) {
    hasEnded = false
    text = []
    if seed + stride < end { start(from: seed + stride) } else { hasEnded = true }
  }

  private mutating func start(from seed: UInt64) {
    var words = [
      "/proc/self/exe", "--seed", "\(seed)", "--seeds", "\(end - seed)", "--workers", "\(stride)",
      "--share", "0",
    ]
    if !arguments.shrinks { words.append("--no-shrink") }
    if arguments.linksFiles { words.append("--files") }
    if arguments.stopAfter < .max { words += ["--stop-after", "\(arguments.stopAfter)"] }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      hasEnded = true
      return
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var pointers = words.map { strdup($0) } + [nil]
    let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &pointers, environ)
    for pointer in pointers { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    descriptor = ends[0]
    hasEnded = code != 0
  }

  /// Waits until a worker has something to say or has ended; nil when all have.
  static func ready(_ workers: [WorkerProcess]) -> Int? {
    let open = workers.indices.filter { !workers[$0].hasEnded }
    guard !open.isEmpty else { return nil }
    var polls = open.map { pollfd(fd: workers[$0].descriptor, events: Int16(POLLIN), revents: 0) }
    while poll(&polls, nfds_t(polls.count), -1) < 0, errno == EINTR {}
    return zip(open, polls).first { $0.1.revents != 0 }?.0
  }

  /// The next whole line of those that wait.
  mutating func nextLine() -> String? {
    if let line = line() { return line }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else {
      hasEnded = true
      return nil
    }
    text += buffer[..<count]
    return line()
  }

  private mutating func line() -> String? {
    guard let newline = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { text.removeSubrange(...newline) }
    return String(decoding: text[..<newline], as: UTF8.self)
  }

  /// Learns how the process has ended.
  mutating func reap() {
    close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    signal = status & 0x7F
  }
}
