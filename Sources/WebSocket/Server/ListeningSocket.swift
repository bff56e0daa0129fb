import PalettePlatform

/// A bound socket that has not been given to libwebsockets yet.
///
/// libwebsockets could open it, but then an address in use, a path too long and a live socket of
/// another process would all go unnoticed, and the mode of a Unix socket would hang on the umask.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16
  /// The path to remove in the end, with the identity of what was bound there.
  let file: (path: String, device: dev_t, node: ino_t)?

  init(_ endpoint: ListenerConfiguration.Endpoint) throws(WebSocketError) {
    switch endpoint {
    case .tcp(let host, let port): self = try Self.tcp(host: host, port: port)
    case .unix(let path): self = try Self.unix(path: path)
    case .passed(let descriptor): self = try Self.passed(descriptor)
    }
  }

  /// The address of an internet socket that listens already.
  static func address(ofPassed descriptor: Int32) throws(WebSocketError) -> SocketAddress {
    var listens: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1,
      let address = SocketAddress.local(of: descriptor), !address.host.isEmpty
    else {
      throw WebSocketError(
        .addressUnavailable,
        "descriptor \(descriptor) is no internet socket that listens"
      )
    }
    return address
  }

  /// Takes over a socket that listens already; it stays open for whoever passed it on.
  private static func passed(_ descriptor: Int32) throws(WebSocketError) -> Self {
    let address = try address(ofPassed: descriptor)
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0, fcntl(own, F_SETFL, fcntl(own, F_GETFL) | O_NONBLOCK) == 0 else {
      throw failure("listen on", "\(address.endpoint)")
    }
    return Self(descriptor: own, port: address.port, file: nil)
  }

  private init(descriptor: Int32, port: UInt16, file: (String, dev_t, ino_t)?) {
    self.descriptor = descriptor
    self.port = port
    self.file = file
  }

  /// Removes the path of a Unix socket, if it still is the one that was bound.
  func removeFile() {
    guard let file else { return }
    var status = stat()
    if lstat(file.path, &status) == 0, status.st_dev == file.device, status.st_ino == file.node {
      unlink(file.path)
    }
  }

  private static func tcp(host: String, port: UInt16) throws(WebSocketError) -> Self {
    let address = try SocketAddress.resolve(host: host, port: port)
    let descriptor = Platform.openSocket(Int32(address.family), isBlocking: false)
    guard descriptor >= 0 else { throw failure("open a socket for", "\(host):\(port)") }
    var yes: Int32 = 1
    var no: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if address.family == AF_INET6 {
      // `::` means every address, IPv4 included.
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
    }
    guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4096) == 0
    else {
      defer { close(descriptor) }
      throw failure("listen on", "\(host):\(port)")
    }
    let bound = SocketAddress.local(of: descriptor)
    return Self(descriptor: descriptor, port: bound?.port ?? port, file: nil)
  }

  /// Fails where this machine does not have the address of a host; no port is taken for it.
  static func check(host: String) throws(WebSocketError) {
    let address = try SocketAddress.resolve(host: host, port: 0)
    let descriptor = Platform.openSocket(Int32(address.family), isBlocking: false)
    guard descriptor >= 0 else { throw failure("open a socket for", host) }
    defer { close(descriptor) }
    guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      throw failure("listen on", host)
    }
  }

  private static func unix(path: String) throws(WebSocketError) -> Self {
    let address = try SocketAddress(path: path)
    let descriptor = Platform.openSocket(AF_UNIX, isBlocking: false)
    guard descriptor >= 0 else { throw failure("open a socket for", path) }
    // The mode of the file comes from the socket and is there from its first moment.
    fchmod(descriptor, 0o600)
    var result = address.withPointer { bind(descriptor, $0, $1) }
    if result != 0, errno == EADDRINUSE, isDead(address, path: path) {
      unlink(path)
      result = address.withPointer { bind(descriptor, $0, $1) }
    }
    var status = stat()
    guard result == 0, listen(descriptor, 4096) == 0, lstat(path, &status) == 0 else {
      defer { close(descriptor) }
      throw failure("listen on", path)
    }
    return Self(descriptor: descriptor, port: 0, file: (path, status.st_dev, status.st_ino))
  }

  /// Returns whether there is a socket at a path that belongs to no one any more.
  private static func isDead(_ address: SocketAddress, path: String) -> Bool {
    // Any other file refuses connections in the same way.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = Platform.openSocket(AF_UNIX, isBlocking: false)
    guard probe >= 0 else { return false }
    defer {
      close(probe)
      errno = EADDRINUSE
    }
    return address.withPointer { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
  }

  private static func failure(_ action: String, _ place: String) -> WebSocketError {
    WebSocketError(
      .addressUnavailable,
      "cannot \(action) \(place): \(Platform.failureReason)"
    )
  }
}
