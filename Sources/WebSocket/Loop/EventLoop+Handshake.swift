import COpenSSL
import CWebSockets

extension EventLoop {
  /// Distributes the callbacks of connections that this side makes.
  func handleClient(
    _ reason: lws_callback_reasons,
    on socket: OpaquePointer,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER,
      LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH,
      LWS_CALLBACK_CLIENT_ESTABLISHED,
      LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      break
    default:
      return 0
    }
    guard let connection = Attachment.of(socket) as? Connection,
      case .connecting(let attempt) = connection.stage
    else { return -1 }
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
      return appendHeaders(connection, attempt, socket, bytes)
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
      return checkSubprotocol(connection, attempt, socket)
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
      establishClient(connection, attempt, socket)
    default:
      fail(connection, attempt, socket, UnsafeRawBufferPointer(bytes))
    }
    return 0
  }

  /// The last moment before the request leaves: the server's key and name are checked here, so that
  /// a token never reaches the wrong one.
  private func appendHeaders(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    var attempt = attempt
    attempt.isReached = true
    attempt.verdict = objection(to: socket, attempt.request)
    connection.stage = .connecting(attempt)
    guard attempt.verdict == nil,
      let end = bytes.baseAddress?.assumingMemoryBound(
        to: UnsafeMutablePointer<UInt8>?.self
      ),
      let start = end.pointee
    else { return -1 }
    for field in attempt.request.headers {
      let value = Array(field.value.utf8)
      let code = lws_add_http_header_by_name(
        socket,
        "\(field.name):",
        value,
        Int32(value.count),
        end,
        start + bytes.count
      )
      if code != 0 { return -1 }
    }
    return 0
  }

  /// Why the server must not be spoken to.
  private func objection(to socket: OpaquePointer, _ request: ConnectRequest) -> ConnectFailure? {
    guard request.trust.isEncrypted else { return nil }
    guard let session = lws_get_ssl(socket), let certificate = SSL_get1_peer_certificate(session)
    else { return ConnectFailure(kind: .untrusted, message: "the server has no certificate") }
    defer { X509_free(certificate) }
    if case .pin(let pin) = request.trust, KeyPin(certificate: certificate) != pin {
      return ConnectFailure(kind: .untrusted, message: "the server's key is not the pinned one")
    }
    switch (request.trust, request.endpoint) {
    case (.system, .tcp(let host, _)) where request.isIPv6,
      (.authority, .tcp(let host, _)) where request.isIPv6:
      guard X509_check_ip_asc(certificate, host, 0) == 1 else {
        return ConnectFailure(
          kind: .untrusted,
          message: "the server's certificate is not for \(host)"
        )
      }
    default:
      break
    }
    return nil
  }

  /// libwebsockets lets a server ignore the subprotocol that was asked for.
  private func checkSubprotocol(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer
  ) -> Int32 {
    let agreed = header(WSI_TOKEN_PROTOCOL, of: socket)
    guard agreed != attempt.request.subprotocol else { return 0 }
    var attempt = attempt
    attempt.verdict = ConnectFailure(
      kind: .refused,
      message: "the server speaks another protocol",
      status: 101
    )
    connection.stage = .connecting(attempt)
    return -1
  }

  private func establishClient(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer
  ) {
    clearDeadline(of: connection)
    let remote = SocketAddress.remote(of: lws_get_socket_fd(socket))
    connection.peer = Peer(
      address: remote?.host ?? "",
      port: remote?.port ?? 0,
      userID: nil,
      isEncrypted: attempt.request.trust.isEncrypted
    )
    connection.stream = FrameStream(
      connection.id,
      messageLimit: attempt.request.messageLimit,
      queueLimit: attempt.request.queueLimit,
      isClient: true
    )
    begin(
      connection,
      ConnectionInfo(
        id: connection.id,
        role: .client,
        path: attempt.request.path,
        subprotocol: attempt.request.subprotocol,
        headers: RequestHeaders(),
        peer: connection.peer,
        listener: nil
      )
    )
  }

  /// The connection could not be made.
  private func fail(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer,
    _ text: UnsafeRawBufferPointer
  ) {
    let status = Int(lws_http_client_http_response(socket))
    let message = String(decoding: text.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    if attempt.request.trust.isEncrypted, !attempt.isReached, attempt.verdict == nil,
      let session = lws_get_ssl(socket)
    {
      var attempt = attempt
      let result = SSL_get_verify_result(session)
      let reason =
        result == X509_V_OK ? "TLS failed" : String(cString: X509_verify_cert_error_string(result))
      attempt.verdict = ConnectFailure(kind: .untrusted, message: reason)
      connection.stage = .connecting(attempt)
    }
    // The socket still exists and is about to be destroyed; it must not find the connection then.
    lws_set_opaque_user_data(socket, nil)
    settle(
      connection,
      message: status == 0 ? message : "the server answered \(status)",
      status: status == 0 ? nil : status
    )
  }
}
