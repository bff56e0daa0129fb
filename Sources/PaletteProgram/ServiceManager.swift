internal import PalettePlatform

/// The service manager that started the process, where it wants to hear how the process is doing.
///
/// The few lines of systemd's protocol: datagrams to the socket that NOTIFY_SOCKET names.
package struct ServiceManager: Sendable {
  private let path: [UInt8]
  /// The interval at which it has to hear that the process works; nil where it does not wait for that.
  package let beatSeconds: Double?

  /// Finds the service manager by the variables that it sets; nil where there is none.
  package init?(_ variables: [String: String], process: Int32? = nil) {
    guard let socket = variables["NOTIFY_SOCKET"], let first = socket.utf8.first else { return nil }
    // A name that begins with @ is no file: the system has it in a space of its own.
    let isAbstract = first == UInt8(ascii: "@")
    guard isAbstract || first == UInt8(ascii: "/") else { return nil }
    path = (isAbstract ? [0] : [first]) + Array(socket.utf8.dropFirst())
    guard path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    let isMeant = variables["WATCHDOG_PID"].map { $0 == String(process ?? getpid()) } ?? true
    let microseconds = variables["WATCHDOG_USEC"].flatMap(Double.init) ?? 0
    // Twice as often as it waits, as its manual asks.
    beatSeconds = isMeant && microseconds > 0 ? microseconds / 2e6 : nil
  }

  /// The sockets that it opened for the process, of which the first is descriptor 3; none where it passed
  /// none, or passed them to another process.
  package static func passedSockets(
    _ variables: [String: String],
    process: Int32? = nil
  ) -> Range<Int32> {
    guard variables["LISTEN_PID"] == String(process ?? getpid()),
      let count = variables["LISTEN_FDS"].flatMap(Int32.init), count > 0, count < 1_000
    else { return 3..<3 }
    return 3..<(3 + count)
  }

  /// Sends a message; one that does not arrive is no reason to stop, or to wait.
  package func tell(_ message: String) {
    let descriptor = Platform.openSocket(AF_UNIX, Platform.datagramSocket, isBlocking: false)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout<sa_family_t>.size + path.count
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(length))
      }
    }
  }
}
