import COpenSSL
import CWebSockets
import PalettePlatform

extension EventLoop {
  /// Opens a listener.
  ///
  /// - Throws: `addressUnavailable` or `badCertificate`, with the reason.
  @discardableResult
  package func listen(_ configuration: ListenerConfiguration) throws(WebSocketError) -> ListenerInfo
  {
    guard !isShuttingDown else {
      throw WebSocketError(.addressUnavailable, "the loop is shutting down")
    }
    let (host, security) = try host(for: configuration.identity)
    let listening = try ListeningSocket(configuration.endpoint)
    let id = ListenerID(rawValue: listeners.count + 1)
    let listener = Listener(id: id, configuration: configuration, listening: listening, host: host)
    listener.security = security
    listeners[id] = listener
    listener.socket = adopt(listening.descriptor, for: listener)
    guard listener.socket != nil else {
      listeners[id] = nil
      throw WebSocketError(.addressUnavailable, "libwebsockets cannot listen there")
    }
    return ListenerInfo(id: id, port: listening.port)
  }

  /// Reads the certificate of a listener again, for everyone who connects from now on.
  ///
  /// - Throws: `badCertificate`; then the one before stays in use.
  package func reloadCertificate(of id: ListenerID) throws(WebSocketError) {
    guard let listener = listeners[id], let security = listener.security,
      let identity = listener.configuration.identity
    else { return }
    try identity.validate()
    guard SSL_CTX_use_certificate_chain_file(security, identity.certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(security, identity.keyFile, SSL_FILETYPE_PEM) == 1
    else { throw OpenSSLFailure.error("cannot use \(identity.certificateFile)") }
  }

  /// When the certificate ends that a listener's new clients get, in seconds since 1970; nil where there
  /// is none.
  package func certificateEnd(of id: ListenerID) -> Int? {
    var end = tm()
    guard let security = listeners[id]?.security,
      let certificate = SSL_CTX_get0_certificate(security),
      ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1
    else { return nil }
    return timegm(&end)
  }

  /// Where a listener's clients are served, and the certificate with which they are.
  private func host(
    for identity: TLSIdentity?
  ) throws(WebSocketError) -> (host: OpaquePointer, security: OpaquePointer?) {
    var host = plainHost
    madeSecurity = nil
    if let identity {
      guard configuration.usesTLS else {
        throw WebSocketError(.badCertificate, "this loop was configured without TLS")
      }
      try identity.validate()
      host = addHost { info in
        info.protocols = UnsafePointer(servedProtocols.entries)
        info.ssl_cert_filepath = permanent(identity.certificateFile)
        info.ssl_private_key_filepath = permanent(identity.keyFile)
      }
    }
    guard let host else {
      throw WebSocketError(.badCertificate, "libwebsockets cannot use the certificate")
    }
    return (host, madeSecurity)
  }

  /// Adjusts what libwebsockets has set up for connecting.
  func prepareClientSecurity(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = context.map({ OpaquePointer($0) }) else { return 0 }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    // What a client of TLS 1.2 may choose from: a new key each time, and no CBC.
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20")
    // An idle connection then needs no buffers, which are most of what it costs.
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    return 0
  }

  /// Adjusts what libwebsockets has set up for a certificate.
  func prepareServerSecurity(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = context.map({ OpaquePointer($0) }) else { return 0 }
    _ = prepareClientSecurity(UnsafeMutableRawPointer(context))
    madeSecurity = context
    // By itself, libwebsockets answers a server name with the certificate of the first host that
    // has none of its own listening sockets, which all of ours are.
    SSL_CTX_callback_ctrl(context, SSL_CTRL_SET_TLSEXT_SERVERNAME_CB, nil)
    return 0
  }

  /// Accepts whoever waits, up to a number, so that a flood does not hold up the others.
  func acceptClients(_ socket: OpaquePointer) -> Int32 {
    guard let listener = Attachment.of(socket) as? Listener else { return 0 }
    let refused = refusedConnections
    // Those that are sent away keep their descriptors until libwebsockets is back at its work.
    for _ in 0..<64 where refusedConnections - refused < 8 {
      let descriptor = accept(listener.listening.descriptor, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        adopt(descriptor, from: listener)
      } else if errno == EMFILE || errno == ENFILE, reserve >= 0 {
        turnAway(listener)
      } else if errno != ECONNABORTED && errno != EINTR {
        return 0
      }
    }
    return 0
  }

  /// Spends the spare descriptor on hanging up: left alone, the client would wait, and so would
  /// this loop, awake.
  private func turnAway(_ listener: Listener) {
    PalettePlatform.close(reserve)
    let descriptor = accept(listener.listening.descriptor, nil, nil)
    if descriptor >= 0 { PalettePlatform.close(descriptor) }
    reserve = PalettePlatform.open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  private func adopt(_ descriptor: Int32, from listener: Listener) {
    guard !isShuttingDown, listener.connectionCount < listener.configuration.connectionLimit else {
      PalettePlatform.close(descriptor)
      return
    }
    let address = SocketAddress.remote(of: descriptor)
    let connection = Connection(
      id: makeConnectionID(),
      listener: listener,
      peer: peer(descriptor, address, listener),
      stage: .requesting
    )
    if !listener.isLocal {
      if connections.count >= descriptorLimit - reservedDescriptors {
        guard let oldest = unauthenticated.oldest else {
          handler?.refused(connection.peer.address, .descriptors)
          PalettePlatform.close(descriptor)
          return
        }
        sendAway(oldest, .descriptors)
      }
      makeRoom(for: connection, from: address, listener.configuration.unauthenticatedLimits)
    }
    connections[connection.id] = connection
    listener.connectionCount += 1
    SocketOptions.setNoDelay(of: descriptor)
    setDeadline(of: connection, after: configuration.handshakeTimeout)
    var info = lws_adopt_desc_t()
    info.vh = listener.host
    info.type = lws_adoption_type(
      LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue | LWS_ADOPT_ALLOW_SSL.rawValue
    )
    info.fd.sockfd = descriptor
    info.opaque = connection.opaque
    connection.socket = lws_adopt_descriptor_vhost_via_info(&info)
    if connection.socket == nil { end(connection) }
  }

  /// How many descriptors are kept for files, Unix sockets, and connections that this side makes.
  private var reservedDescriptors: Int { min(128, descriptorLimit / 4) }

  /// Counts a connection whose owner is not known yet; where there are too many, the oldest ends.
  private func makeRoom(
    for connection: Connection,
    from address: SocketAddress?,
    _ limits: UnauthenticatedLimits
  ) {
    let network = address?.network ?? ""
    let limit = address?.isLoopback == true ? limits.perLoopbackAddress : limits.perAddress
    unauthenticated.add(connection.id, from: network)
    if let limit, unauthenticated.count(from: network) > limit {
      sendAway(unauthenticated.oldest(from: network), .address)
    }
    if unauthenticated.count > configuration.unauthenticatedLimit ?? descriptorLimit / 2 {
      sendAway(unauthenticated.oldest, .unauthenticated)
    }
  }

  /// Ends a connection to make room.
  private func sendAway(_ id: ConnectionID?, _ reason: ConnectionRefusal) {
    guard let id, let connection = connections[id] else { return }
    unauthenticated.remove(id)
    if connection.isOpen, connection.knownClose == nil {
      connection.knownClose = CloseEvent(code: .tryAgainLater, reason: "", initiator: .local)
    }
    refusedConnections += 1
    handler?.refused(connection.peer.address, reason)
    kill(connection)
  }

  private func peer(
    _ descriptor: Int32,
    _ address: SocketAddress?,
    _ listener: Listener
  ) -> Peer {
    var userID: UInt32?
    if listener.isLocal {
      // struct ucred: process, user, group.
      var credentials: [UInt32] = [0, 0, 0]
      var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
      if getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 {
        userID = credentials[1]
      }
    }
    return Peer(
      address: address?.host ?? "",
      port: address?.port ?? 0,
      userID: userID,
      isEncrypted: listener.configuration.identity != nil
    )
  }
}
