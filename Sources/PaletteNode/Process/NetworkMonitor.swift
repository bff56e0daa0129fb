internal import PalettePlatform
internal import WebSocket

/// Tells when this machine's addresses or routes change: what was out of reach may be back then.
///
/// Linux only: it asks netlink.
final class NetworkMonitor {
  private unowned let loop: EventLoop
  private let onChange: () -> Void
  private var isTelling = false

  /// Changes come in groups, which count as one.
  private static let gathering = Duration.milliseconds(200)

  /// Begins to listen on a loop.
  ///
  /// - Returns: nil where the system does not tell, with the reason in `errno`.
  init?(_ loop: EventLoop, onChange: @escaping () -> Void) {
    self.loop = loop
    self.onChange = onChange
    let descriptor = Platform.openSocket(
      AF_NETLINK,
      Self.rawSocket,
      Self.routeProtocol,
      isBlocking: false
    )
    guard descriptor >= 0 else { return nil }
    guard Self.subscribe(descriptor),
      loop.watch(descriptor, { [weak self] in self?.read(descriptor) })
    else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
  }

  /// `SOCK_RAW`.
  private static let rawSocket: Int32 = 3
  /// `NETLINK_ROUTE`.
  private static let routeProtocol: Int32 = 0

  private static func subscribe(_ descriptor: Int32) -> Bool {
    // struct sockaddr_nl: family and padding, the kernel's choice of a port, the groups of links,
    // addresses and routes of both families.
    let address: [UInt32] = [
      UInt32(UInt16(AF_NETLINK)).littleEndian, 0, 0x1 | 0x10 | 0x40 | 0x100 | 0x400,
    ]
    return address.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return bind(
        descriptor,
        start.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count)
      ) == 0
    }
  }

  /// Reads the messages to the end: their content does not matter, and a lost message is one too.
  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == EINTR || errno == ENOBUFS {}
    guard !isTelling else { return }
    isTelling = true
    loop.schedule(after: Self.gathering) { [weak self] in
      self?.isTelling = false
      self?.onChange()
    }
  }
}
