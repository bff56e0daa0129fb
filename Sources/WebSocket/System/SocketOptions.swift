import PalettePlatform

/// What the system knows about a connection, and does for it.
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

  /// The user at the other end of a Unix socket.
  static func userID(of descriptor: Int32) -> UInt32? {
    // struct ucred: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
    let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    return result == 0 ? credentials[1] : nil
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
