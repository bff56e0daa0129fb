/// The address and the manner of listening.
package struct ListenerConfiguration: Sendable {
  /// A place to listen at.
  package enum Endpoint: Equatable, Sendable {
    /// A host (name or address) and a port; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A path of at most 107 bytes; `/proc/self/fd/N/name` reaches into any open folder, which must
    /// stay open. The socket is readable and writable by its owner alone.
    case unix(path: String)
    /// A socket that listens already: who started the process has passed it on.
    case passed(descriptor: Int32)

    /// The address at which a socket listens that was passed on.
    ///
    /// - Throws: `addressUnavailable` where it is no such socket.
    package static func address(
      ofPassed descriptor: Int32
    ) throws(WebSocketError) -> (host: String, port: UInt16) {
      let address = try ListeningSocket.address(ofPassed: descriptor)
      return (address.host, address.port)
    }

    /// Makes sure that the host has an address, and that the path can be one of a socket.
    ///
    /// - Throws: `addressUnavailable`, with the reason.
    package func check() throws(WebSocketError) {
      switch self {
      case .tcp(let host, let port): _ = try SocketAddress.resolve(host: host, port: port)
      case .unix(let path): _ = try SocketAddress(path: path)
      case .passed(let descriptor): _ = try Self.address(ofPassed: descriptor)
      }
    }

    /// Makes sure that the host is this machine; no port is taken for it.
    ///
    /// - Throws: `addressUnavailable`, with the reason.
    package func checkHost() throws(WebSocketError) {
      if case .tcp(let host, _) = self { try ListeningSocket.check(host: host) }
    }
  }

  /// The place.
  package let endpoint: Endpoint
  /// The certificate and key, where the listener speaks TLS.
  package let identity: TLSIdentity?
  /// The rules for `Host` and `Origin`; nil where file permissions guard the listener.
  package let originPolicy: OriginPolicy?
  /// The most connections that may be open at once, finished handshake or not.
  package let connectionLimit: Int
  /// The most connections whose owner is not known yet; those of a Unix socket are all known.
  package let unauthenticatedLimits: UnauthenticatedLimits

  /// Creates a configuration.
  package init(
    endpoint: Endpoint,
    identity: TLSIdentity? = nil,
    originPolicy: OriginPolicy? = OriginPolicy(),
    connectionLimit: Int = 10_000,
    unauthenticatedLimits: UnauthenticatedLimits = .usual
  ) {
    self.endpoint = endpoint
    self.identity = identity
    self.originPolicy = originPolicy
    self.connectionLimit = connectionLimit
    self.unauthenticatedLimits = unauthenticatedLimits
  }
}

/// A listener that is open.
package struct ListenerInfo: Equatable, Sendable {
  /// Its name in the loop.
  package let id: ListenerID
  /// The port that was bound; 0 for a Unix socket.
  package let port: UInt16
}
