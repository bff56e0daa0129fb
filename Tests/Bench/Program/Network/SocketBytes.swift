import PalettePlatform

/// The bytes that crossed the TCP connections of this process, both ways, as the system counts
/// them.
enum SocketBytes {
  /// Payload bytes that were sent and acknowledged, or received, on all open connections.
  static var total: UInt64 {
    var total: UInt64 = 0
    for descriptor in CInt(0)..<256 {
      var info = [UInt64](repeating: 0, count: 64)
      var size = socklen_t(512)
      let level = CInt(IPPROTO_TCP)
      guard getsockopt(descriptor, level, TCP_INFO, &info, &size) == 0, size >= 136 else {
        continue
      }
      // tcpi_bytes_acked and tcpi_bytes_received of struct tcp_info.
      total += info[15] + info[16]
    }
    return total
  }
}
