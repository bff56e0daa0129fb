// The C library of the system. No other file names one of them: whoever needs it imports this target,
// which no product has, so nothing of it reaches a program that uses the libraries.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#else
  #error("The package does not know the C library of this system.")
#endif

/// The spellings in which the C libraries differ.
package enum Platform {
  /// The kind of a socket that carries a stream.
  package static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// The kind of a socket that carries messages, each for itself.
  package static var datagramSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_DGRAM.rawValue)
    #else
      SOCK_DGRAM
    #endif
  }

  /// Opens a socket that programs started from here do not inherit; -1 with the reason in `errno`.
  package static func openSocket(
    _ family: Int32,
    _ kind: Int32 = streamSocket,
    _ protocolNumber: Int32 = 0,
    isBlocking: Bool = true
  ) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, kind, protocolNumber)
      guard descriptor >= 0 else { return descriptor }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      return descriptor
    #else
      // The flags of a socket are those of a file here.
      let flags = O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)
      return socket(family, kind | flags, protocolNumber)
    #endif
  }

  /// Milliseconds since 1970 by the clock of the machine.
  package static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Seconds of a clock that nobody sets, and that never goes back.
  package static var uptime: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds since the machine was started, those included in which it slept.
  package static var secondsSinceStart: Double {
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      // This one goes on while the machine sleeps there.
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Microseconds of the same clock.
  package static var uptimeMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// The result of a call that is made again when a signal cut it short.
  package static func retried<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Reads an open file to its end, or until it is known to be longer than a limit; nil with `errno` set
  /// when that fails.
  package static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = retried { read(descriptor, &buffer, buffer.count) }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Writes everything to an open file; false with `errno` set when that fails.
  package static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    ContiguousArray(bytes).withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = retried { write(descriptor, piece.baseAddress, piece.count) }
        guard count >= 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// The reason why the last call failed.
  package static var failureReason: String { String(cString: strerror(errno)) }

  /// Limits how long each wait to send on a socket, or to receive, may take; 0 for any time.
  ///
  /// It stands here because `timeval` is not always the C library's where others than this import more.
  package static func limitWaiting(on descriptor: Int32, to option: Int32, seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The process that listened at the other end of a Unix socket; nil where the system does not say, or
  /// that is in another space of processes.
  package static func processAtOtherEnd(of descriptor: Int32) -> pid_t? {
    #if os(Linux)
      // The header has `struct ucred` only for those who ask for GNU's extensions.
      var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: credentials))
      let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
      return result == 0 && credentials.process > 0 ? credentials.process : nil
    #else
      return nil
    #endif
  }

  /// The number of files a process may open, now and at most; nil where the system does not say.
  package static var openFileLimit: rlimit? {
    var limit = rlimit()
    #if canImport(Glibc)
      let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let result = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return result == 0 ? limit : nil
  }

  /// The resources that this process has used so far.
  package static var usage: rusage {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
  }

  /// Lets other threads come first.
  ///
  /// Linux only: elsewhere the priority belongs to the whole process.
  package static func lowerPriority(by niceness: Int32) {
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #elseif canImport(Musl)
      _ = setpriority(PRIO_PROCESS, 0, niceness)
    #endif
  }

  /// Returns whether a signal is ignored; a process inherits that from its parent.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var current = sigaction()
    sigaction(signal, nil, &current)
    #if canImport(Glibc)
      let handler = current.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = current.__sa_handler.sa_handler
    #else
      let handler = current.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

extension stat {
  /// The time at which the contents of the file last changed.
  package var modified: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
