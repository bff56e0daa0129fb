import PalettePlatform

/// A socket address of any family.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  var family: sa_family_t { storage.ss_family }

  init(copying address: UnsafePointer<sockaddr>, length: socklen_t) {
    self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
    withUnsafeMutableBytes(of: &storage) { target in
      target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(self.length)))
    }
  }

  /// Creates the address of a Unix socket.
  init(path: String) throws(WebSocketError) {
    let bytes = Array(path.utf8)
    // One byte of the 108 ends the path; libwebsockets would cut a longer one short.
    guard (1...107).contains(bytes.count), !bytes.contains(0) else {
      throw WebSocketError(
        .addressUnavailable,
        "a socket path has 1 to 107 bytes, this has \(bytes.count)"
      )
    }
    storage.ss_family = sa_family_t(AF_UNIX)
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + 1)
    withUnsafeMutableBytes(of: &storage) { target in
      for (index, byte) in bytes.enumerated() {
        target[MemoryLayout<sa_family_t>.size + index] = byte
      }
    }
  }

  /// Looks up the first address of a host to listen on.
  static func resolve(host: String, port: UInt16) throws(WebSocketError) -> Self {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Platform.streamSocket
    var results: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &results)
    defer { results.map(freeaddrinfo) }
    guard code == 0, let result = results?.pointee, let address = result.ai_addr else {
      let why = code == 0 ? "no address" : String(cString: gai_strerror(code))
      let isPassing = code == EAI_AGAIN
      throw WebSocketError(
        isPassing ? .namesUnavailable : .addressUnavailable,
        "cannot find \(host): \(why)"
      )
    }
    return Self(copying: address, length: result.ai_addrlen)
  }

  /// The address that a socket is bound to.
  static func local(of descriptor: Int32) -> Self? { read(descriptor, with: getsockname) }

  /// The address at the other end of a socket.
  static func remote(of descriptor: Int32) -> Self? { read(descriptor, with: getpeername) }

  private static func read(
    _ descriptor: Int32,
    with function: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Self? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        function(descriptor, address, &length) == 0 ? Self(copying: address, length: length) : nil
      }
    }
  }

  /// Calls `body` with the address as C wants it.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafeBytes(of: storage) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("a storage has bytes") }
        return body(base, length)
      }
    }
  }

  /// The port of an internet address, else 0.
  var port: UInt16 {
    withUnsafeBytes(of: storage) { bytes in
      guard family == AF_INET || family == AF_INET6 else { return 0 }
      return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }

  /// Host and port of an internet address, an IPv6 host in brackets; else empty.
  var endpoint: String {
    let host = host
    if host.isEmpty { return "" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The network that counts as one sender: an IPv4 address, or 64 bits of an IPv6 address; else
  /// empty.
  var network: String {
    let host = host
    guard family == AF_INET6, host.contains(":") else { return host }
    return withUnsafeBytes(of: storage) { bytes in
      // The address begins at the eighth byte of the structure.
      bytes[8..<16].map { String($0, radix: 16) }.joined(separator: ":")
    }
  }

  /// True if the address is this machine's own, 127.0.0.0/8 or ::1.
  var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// The numeric host of an internet address, else empty; an IPv4 address in IPv6 is shown as IPv4.
  var host: String {
    guard family == AF_INET || family == AF_INET6 else { return "" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
      let code = withPointer { address, length in
        getnameinfo(
          address,
          length,
          buffer.baseAddress,
          socklen_t(NI_MAXHOST),
          nil,
          0,
          NI_NUMERICHOST
        )
      }
      guard code == 0, let base = buffer.baseAddress else { return "" }
      let text = String(cString: base)
      return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }
  }
}

/// The system's options of a connection.
///
/// Linux only: the options and what they tell are its own.
enum SocketOptions {
  /// Sends small frames at once.
  static func setNoDelay(of descriptor: Int32) {
    set(1, TCP_NODELAY, of: descriptor)
  }

  /// Sets how long sent data may stay unacknowledged before the system ends the connection.
  static func setUserTimeout(_ limit: Duration, of descriptor: Int32) {
    set(Int32(clamping: limit.microseconds / 1_000), TCP_USER_TIMEOUT, of: descriptor)
  }

  private static func set(_ value: Int32, _ option: Int32, of descriptor: Int32) {
    var value = value
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, size)
  }

  /// Returns whether something that was sent has not arrived at the other side's system yet.
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

  /// The number of bytes the other side's system has acknowledged.
  static func acknowledgedBytes(_ descriptor: Int32) -> UInt64 {
    // `tcpi_bytes_acked` of Linux, which the structure of this C library lacks.
    information(about: descriptor, at: 120) ?? 0
  }

  /// The number of segments with data that have come from the other side; 0 where nothing counts them.
  static func receivedSegments(_ descriptor: Int32) -> UInt32 {
    // `tcpi_data_segs_in` of Linux, which the structure of this C library lacks too.
    information(about: descriptor, at: 152) ?? 0
  }

  /// A number that the system keeps of a connection, at an offset of its `tcp_info`.
  private static func information<Number: FixedWidthInteger & BitwiseCopyable>(
    about descriptor: Int32,
    at offset: Int
  ) -> Number? {
    var information = [UInt8](repeating: 0, count: offset + MemoryLayout<Number>.size)
    var size = socklen_t(information.count)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &information, &size) == 0,
      Int(size) == information.count
    else { return nil }
    return information.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}
