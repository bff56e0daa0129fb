import PalettePlatform
import Synchronization

/// Looks host names up on threads of its own.
///
/// This libwebsockets asks the system resolver on the service thread, where one slow name server
/// would stall every connection.
final class NameResolver: Sendable {
  /// The most look-ups under way at once.
  private static let limit = 16
  private let running = Mutex(0)

  /// Starts a look-up; `completion` runs on another thread, with numeric addresses in order of
  /// preference or with the reason why there are none.
  ///
  /// - Returns: Whether it could be started.
  func resolve(
    _ host: String,
    completion: @escaping @Sendable (Result<[String], WebSocketError>) -> Void
  ) -> Bool {
    let isFree = running.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
    guard isFree else { return false }
    let thread = Thread.start { [self] in
      completion(Self.lookUp(host))
      running.withLock { $0 -= 1 }
    }
    guard let thread else {
      running.withLock { $0 -= 1 }
      return false
    }
    thread.detach()
    return true
  }

  private static func lookUp(_ host: String) -> Result<[String], WebSocketError> {
    var hints = addrinfo()
    hints.ai_flags = AI_ADDRCONFIG
    hints.ai_socktype = Platform.streamSocket
    var results: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &results)
    defer { results.map(freeaddrinfo) }
    var addresses: [String] = []
    var next = results
    while let entry = next?.pointee {
      if let address = entry.ai_addr {
        addresses.append(SocketAddress(copying: address, length: entry.ai_addrlen).host)
      }
      next = entry.ai_next
    }
    guard code == 0, !addresses.isEmpty else {
      let why = code == 0 ? "no address" : String(cString: gai_strerror(code))
      return .failure(WebSocketError(.addressUnavailable, "cannot find \(host): \(why)"))
    }
    return .success(addresses)
  }
}
