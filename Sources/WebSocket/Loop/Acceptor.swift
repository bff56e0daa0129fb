import COpenSSL
import CWebSockets
import PalettePlatform

/// The listeners of a loop, and whom they let in.
final class Acceptor {
  private let configuration: LoopConfiguration
  private let library: ServiceContext
  private let shutdown: ShutdownState
  private let connections: Connections
  private let heads: HeadCheck
  private var listeners: [ListenerID: Listener] = [:]
  /// The number of descriptors the process may use.
  private let descriptorLimit: Int
  /// A descriptor to give up when there are no more, so that a client can be turned away.
  private var reserve: Int32

  init(
    _ configuration: LoopConfiguration,
    _ library: ServiceContext,
    _ shutdown: ShutdownState,
    _ connections: Connections,
    _ heads: HeadCheck
  ) {
    self.configuration = configuration
    self.library = library
    self.shutdown = shutdown
    self.connections = connections
    self.heads = heads
    let systemLimit = Platform.openFileLimit.map { Int(clamping: $0.rlim_cur) } ?? 1024
    descriptorLimit = configuration.descriptorLimit ?? systemLimit
    reserve = Self.openReserve()
  }

  deinit {
    if reserve >= 0 { close(reserve) }
  }

  private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

  // MARK: Listeners

  /// Opens a listener.
  func listen(_ configuration: ListenerConfiguration) throws(WebSocketError) -> ListenerInfo {
    guard !shutdown.hasBegun else {
      throw WebSocketError(.addressUnavailable, "the loop is shutting down")
    }
    let (host, security) = try library.servingHost(for: configuration.identity)
    let listening = try ListeningSocket(configuration.endpoint)
    let id = ListenerID(rawValue: listeners.count + 1)
    let listener = Listener(id: id, configuration: configuration, listening: listening, host: host)
    listener.security = security
    listeners[id] = listener
    guard library.adoptFile(listening.descriptor, for: listener) else {
      listeners[id] = nil
      throw WebSocketError(.addressUnavailable, "libwebsockets cannot listen there")
    }
    return ListenerInfo(id: id, port: listening.port)
  }

  /// Reads the certificate of a listener again.
  func reloadCertificate(of id: ListenerID) throws(WebSocketError) {
    guard let listener = listeners[id], let security = listener.security,
      let identity = listener.configuration.identity
    else { return }
    try identity.validate()
    guard SSL_CTX_use_certificate_chain_file(security, identity.certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(security, identity.keyFile, SSL_FILETYPE_PEM) == 1
    else { throw OpenSSLFailure.error("cannot use \(identity.certificateFile)") }
  }

  /// The end of a listener's certificate, in seconds since 1970; nil if there is none.
  func certificateEnd(of id: ListenerID) -> Int? {
    var end = tm()
    guard let security = listeners[id]?.security,
      let certificate = SSL_CTX_get0_certificate(security),
      ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1
    else { return nil }
    return timegm(&end)
  }

  /// Stops listening.
  func closeListeners() {
    for listener in listeners.values {
      listener.listening.removeFile()
      if let socket = listener.socket {
        lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
      }
    }
  }

  /// Forgets the listeners, whose sockets are closed.
  func forgetListeners() {
    for listener in listeners.values { listener.listening.removeFile() }
    listeners = [:]
  }

  // MARK: Clients

  /// Accepts whoever waits, up to a number, so that a flood does not hold up the others.
  func acceptClients(of listener: Listener) {
    let refused = connections.refusedCount
    // Those that are sent away keep their descriptors until libwebsockets is back at its work.
    for _ in 0..<64 where connections.refusedCount - refused < 8 {
      let descriptor = accept(listener.listening.descriptor, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        admit(descriptor, from: listener)
      } else if errno == EMFILE || errno == ENFILE, reserve >= 0 {
        turnAway(listener)
      } else if errno != ECONNABORTED && errno != EINTR {
        return
      }
    }
  }

  /// Spends the spare descriptor on hanging up: left alone, the client would wait, and so would
  /// this loop, awake.
  private func turnAway(_ listener: Listener) {
    close(reserve)
    let descriptor = accept(listener.listening.descriptor, nil, nil)
    if descriptor >= 0 { close(descriptor) }
    reserve = Self.openReserve()
  }

  private func admit(_ descriptor: Int32, from listener: Listener) {
    guard !shutdown.hasBegun, listener.connectionCount < listener.configuration.connectionLimit
    else {
      close(descriptor)
      return
    }
    let address = SocketAddress.remote(of: descriptor)
    let peer = peer(descriptor, address, listener)
    let connection = connections.make(listener, peer, .requesting)
    if !listener.isLocal {
      if connections.count >= descriptorLimit - reservedDescriptors {
        guard let oldest = connections.oldestUnauthenticated else {
          connections.handler?.refused(peer.address, .descriptors)
          close(descriptor)
          return
        }
        connections.sendAway(oldest, .descriptors)
      }
      connections.countUnauthenticated(
        connection,
        from: address,
        listener.configuration.unauthenticatedLimits,
        atMost: configuration.unauthenticatedLimit ?? descriptorLimit / 2
      )
    }
    connections.add(connection)
    SocketOptions.setNoDelay(of: descriptor)
    connections.setDeadline(of: connection, after: configuration.handshakeTimeout)
    if HeadCheck.applies(to: listener) {
      heads.hold(descriptor, connection)
    } else if !library.adoptClient(descriptor, of: listener, for: connection) {
      connections.end(connection)
    }
  }

  /// The number of descriptors that are kept for files, Unix sockets, and connections that this
  /// side makes.
  private var reservedDescriptors: Int { min(128, descriptorLimit / 4) }

  private func peer(_ descriptor: Int32, _ address: SocketAddress?, _ listener: Listener) -> Peer {
    Peer(
      address: address?.host ?? "",
      port: address?.port ?? 0,
      userID: listener.isLocal ? SocketOptions.userID(of: descriptor) : nil,
      isEncrypted: listener.configuration.identity != nil
    )
  }
}
