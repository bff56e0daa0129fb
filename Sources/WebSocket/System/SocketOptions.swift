import PalettePlatform

/// What the system knows about a TCP connection, and does for it; nothing for other sockets.
///
/// Linux only: the options and what they tell are its own.
enum SocketOptions {
  /// Sends small frames at once.
  static func setNoDelay(of descriptor: Int32) {
    set(1, TCP_NODELAY, of: descriptor)
  }

  /// Has the system end a connection when what was sent stays unacknowledged for so long.
  static func setUserTimeout(_ limit: Duration, of descriptor: Int32) {
    set(Int32(clamping: limit.microseconds / 1_000), TCP_USER_TIMEOUT, of: descriptor)
  }

  private static func set(_ value: Int32, _ option: Int32, of descriptor: Int32) {
    var value = value
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, size)
  }

  /// Whether something that was sent has not arrived at the other side's system yet.
  static func isSending(_ descriptor: Int32) -> Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
  }

  /// How many bytes the other side's system has acknowledged.
  static func acknowledgedBytes(_ descriptor: Int32) -> UInt64 {
    // `tcpi_bytes_acked` of Linux, which the structure of this C library lacks.
    let offset = 120
    var information = [UInt8](repeating: 0, count: offset + MemoryLayout<UInt64>.size)
    var size = socklen_t(information.count)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &information, &size) == 0,
      Int(size) == information.count
    else { return 0 }
    return information.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }
}
