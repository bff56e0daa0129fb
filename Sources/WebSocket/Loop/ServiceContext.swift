import COpenSSL
import CWebSockets
import PalettePlatform

/// The context of libwebsockets with its hosts and its one timer, for one loop.
///
/// Everything but `waker` belongs to the loop's thread.
final class ServiceContext {
  /// Nil before it is opened and once it is destroyed.
  private var context: OpaquePointer?
  private let usesTLS: Bool
  private let protocols: ProtocolTable
  /// The same for those who connect to this node.
  private let servedProtocols: ProtocolTable
  /// All zero: this library keeps its own time for pings.
  private let retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>
  private let timer: UnsafeMutablePointer<clws_timer>
  /// The place to which the callbacks go.
  private var callbacks: ServiceCallbacks?
  private var clientHosts: [ServerTrust: OpaquePointer] = [:]
  /// The host for clients without TLS.
  private var plainHost: OpaquePointer?
  private var hostCount = 0
  /// The OpenSSL object of the certificate for which a host was made last.
  private var madeSecurity: OpaquePointer?
  /// libwebsockets keeps pointers to its settings.
  private var strings: [UnsafeMutablePointer<CChar>] = []

  init(_ configuration: LoopConfiguration) {
    usesTLS = configuration.usesTLS
    var subprotocols: [String] = []
    for name in configuration.routes.flatMap(\.subprotocols) where !subprotocols.contains(name) {
      subprotocols.append(name)
    }
    protocols = ProtocolTable(subprotocols: subprotocols, callback: serviceCallback)
    servedProtocols = ProtocolTable(
      subprotocols: subprotocols,
      readSize: ProtocolTable.servedReadSize,
      callback: serviceCallback
    )
    retryPolicy = .allocate(capacity: 1)
    retryPolicy.initialize(to: lws_retry_bo_t())
    timer = .allocate(capacity: 1)
    timer.initialize(to: clws_timer())
  }

  deinit {
    retryPolicy.deallocate()
    timer.deallocate()
    for string in strings { free(string) }
  }

  /// Creates the context, with what its callbacks call.
  func open(calling callbacks: ServiceCallbacks) throws(WebSocketError) {
    self.callbacks = callbacks
    timer.pointee.owner = callbacks.pointer
    LibraryLog.prepare()
    var info = makeInfo()
    info.options |= UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
    if !usesTLS || TLSLibrary.isPrepared { context = lws_create_context(&info) }
    guard context != nil else {
      throw WebSocketError(.loopUnavailable, "libwebsockets cannot start")
    }
    // The first: libwebsockets moves whoever connects to it, since no host of ours has a port.
    plainHost = addHost { info in info.protocols = UnsafePointer(servedProtocols.entries) }
    clientHosts[.plain] = addHost { _ in }
    guard plainHost != nil, clientHosts[.plain] != nil else {
      throw WebSocketError(.loopUnavailable, "libwebsockets cannot serve")
    }
  }

  /// Destroys the context; what is still connected ends now.
  func destroy() {
    guard let context else { return }
    lws_sul_cancel(&timer.pointee.list)
    // While it is being destroyed, its callbacks may neither wake it nor set the timer.
    self.context = nil
    lws_context_destroy(context)
  }

  /// Waits for events and serves them once; tells whether the context still works.
  func serve() -> Bool {
    context.map { lws_service($0, 0) >= 0 } ?? false
  }

  /// Ends the next wait at once.
  func wake() {
    if let context { lws_cancel_service(context) }
  }

  /// Ends a wait from other threads.
  var waker: Waker? { context.map { Waker($0) } }

  /// Sets the time at which the loop's timers run; nil stops them.
  func setTimer(at due: Int64?) {
    // The handler may still schedule something when it hears that the loop has ended.
    guard let context else { return }
    guard let due else { return lws_sul_cancel(&timer.pointee.list) }
    lws_sul_schedule(context, 0, &timer.pointee.list, timerCallback, max(due - now, 1))
  }

  // MARK: Sockets

  /// Tells when a descriptor can be read, which stays its owner's to read.
  ///
  /// - Returns: Whether libwebsockets has taken it; then it closes it in the end.
  func adoptFile(_ descriptor: Int32, for attachment: Attachment) -> Bool {
    var info = lws_adopt_desc_t()
    info.vh = clientHosts[.plain]
    info.type = LWS_ADOPT_RAW_FILE_DESC
    info.fd.filefd = descriptor
    info.opaque = attachment.opaque
    attachment.socket = lws_adopt_descriptor_vhost_via_info(&info)
    return attachment.socket != nil
  }

  /// Serves HTTP to a client that was accepted; tells whether libwebsockets has taken it.
  func adoptClient(_ descriptor: Int32, of listener: Listener, for attachment: Attachment) -> Bool {
    var info = lws_adopt_desc_t()
    info.vh = listener.host
    info.type = lws_adoption_type(
      LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue | LWS_ADOPT_ALLOW_SSL.rawValue
    )
    info.fd.sockfd = descriptor
    info.opaque = attachment.opaque
    attachment.socket = lws_adopt_descriptor_vhost_via_info(&info)
    return attachment.socket != nil
  }

  /// Begins to connect, and tells whether it has begun.
  ///
  /// A failure inside is not reported by a callback.
  func connect(
    _ attachment: Attachment,
    _ request: ConnectRequest,
    address: String,
    from host: OpaquePointer
  ) -> Bool {
    var info = lws_client_connect_info()
    info.context = context
    info.vhost = host
    if case .tcp(_, let port) = request.endpoint { info.port = Int32(port) }
    info.ssl_connection = Self.connectFlags(request)
    info.ietf_version_or_minus_one = -1
    info.opaque_user_data = attachment.opaque
    attachment.socket = address.withCString { address in
      request.host.withCString { host in
        request.path.withCString { path in
          (request.subprotocol ?? "").withCString { subprotocol in
            info.address = address
            info.host = host
            info.path = path
            info.protocol = request.subprotocol == nil ? nil : subprotocol
            return lws_client_connect_via_info(&info)
          }
        }
      }
    }
    return attachment.socket != nil
  }

  private static func connectFlags(_ request: ConnectRequest) -> Int32 {
    // A redirect would carry the token to wherever the server says.
    var flags = LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue
    switch request.trust {
    case .plain: break
    case .system, .authority:
      flags |= LCCSCF_USE_SSL.rawValue
      // libwebsockets cuts the host at its first colon; `checkName` takes over for IPv6.
      if request.isIPv6 { flags |= LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue }
    case .pin:
      flags |=
        LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue
        | LCCSCF_ALLOW_INSECURE.rawValue | LCCSCF_ALLOW_EXPIRED.rawValue
        | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
    }
    return Int32(bitPattern: UInt32(flags))
  }

  // MARK: Hosts

  /// The host for a listener's clients, and the OpenSSL object of the certificate.
  func servingHost(
    for identity: TLSIdentity?
  ) throws(WebSocketError) -> (host: OpaquePointer, security: OpaquePointer?) {
    var host = plainHost
    madeSecurity = nil
    if let identity {
      guard usesTLS else {
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

  /// The host whose authorities a trust needs; made when first needed, since reading those of the
  /// system takes a while.
  func clientHost(for trust: ServerTrust) -> OpaquePointer? {
    let key: ServerTrust
    switch trust {
    case .plain, .pin: key = .plain
    case .system, .authority: key = trust
    }
    if let host = clientHosts[key] { return host }
    let host = addHost { info in
      if case .authority(let file) = key {
        info.client_ssl_ca_filepath = permanent(file)
      } else {
        info.options &= ~UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
      }
    }
    clientHosts[key] = host
    return host
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

  /// Adds a virtual host: one for everything plain, one for each certificate and each trust.
  private func addHost(_ adjust: (inout lws_context_creation_info) -> Void) -> OpaquePointer? {
    var info = makeInfo()
    if usesTLS { info.options |= TLSLibrary.flag }
    hostCount += 1
    info.vhost_name = permanent("(\(hostCount))")
    adjust(&info)
    return lws_create_vhost(context, &info)
  }

  /// The settings that the context and every host share.
  private func makeInfo() -> lws_context_creation_info {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols.entries)
    info.user = callbacks?.pointer
    info.gid = -1
    info.uid = -1
    info.retry_and_idle_policy = UnsafePointer(retryPolicy)
    info.pt_serv_buf_size = UInt32(ProtocolTable.writeSize)
    info.max_http_header_data = 8192
    info.timeout_secs = 30
    info.connect_timeout_secs = 30
    info.keepalive_timeout = 60
    info.alpn = permanent("http/1.1")
    // Without an address, libwebsockets would obey the variable `http_proxy`, even on loopback.
    info.http_proxy_address = permanent("-:0")
    info.options = UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
    return info
  }

  /// A copy of a text that lives as long as this.
  private func permanent(_ text: String) -> UnsafePointer<CChar>? {
    let copy = strdup(text)
    if let copy { strings.append(copy) }
    return UnsafePointer(copy)
  }
}

/// The time on the clock of libwebsockets, in microseconds.
var now: Int64 { lws_now_usecs() }

/// The callback of libwebsockets; it finds the loop in the context.
private func serviceCallback(
  _ socket: OpaquePointer?,
  _ reason: lws_callback_reasons,
  _ user: UnsafeMutableRawPointer?,
  _ bytes: UnsafeMutableRawPointer?,
  _ count: Int
) -> Int32 {
  guard let socket, let context = lws_get_context(socket),
    let callbacks = lws_context_user(context)
  else { return 0 }
  return ServiceCallbacks.at(callbacks)
    .handle(reason, socket, user, UnsafeMutableRawBufferPointer(start: bytes, count: count))
}

private func timerCallback(_ timer: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  timer?.withMemoryRebound(to: clws_timer.self, capacity: 1) { timer in
    guard let owner = timer.pointee.owner else { return }
    ServiceCallbacks.at(owner).runTimers()
  }
}

/// The step that a loop's end has reached.
final class ShutdownState {
  private let library: ServiceContext
  /// True if nothing new is accepted, and the loop ends when the last connection is gone.
  private(set) var hasBegun = false
  /// True if the loop ends after the present round.
  private(set) var isStopped = false

  init(_ library: ServiceContext) {
    self.library = library
  }

  func begin() { hasBegun = true }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    library.wake()
  }
}
