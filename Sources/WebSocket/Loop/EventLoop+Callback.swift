import CWebSockets

/// Where libwebsockets calls; it finds the loop in the context.
func serviceCallback(
  _ socket: OpaquePointer?,
  _ reason: lws_callback_reasons,
  _ user: UnsafeMutableRawPointer?,
  _ bytes: UnsafeMutableRawPointer?,
  _ count: Int
) -> Int32 {
  guard let socket, let context = lws_get_context(socket), let loop = lws_context_user(context)
  else { return 0 }
  return Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue()
    .handle(
      reason,
      on: socket,
      user: user,
      UnsafeMutableRawBufferPointer(start: bytes, count: count)
    )
}

extension EventLoop {
  /// Distributes the callbacks; zero lets libwebsockets go on, anything else ends the connection.
  func handle(
    _ reason: lws_callback_reasons,
    on socket: OpaquePointer,
    user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE,
      LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      withConnection(socket) { refuseEarly($0) }
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      runCommands()
    case LWS_CALLBACK_RAW_RX_FILE:
      readFile(socket)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      withConnection(socket) { confirmUpgrade($0, socket) }
    case LWS_CALLBACK_HTTP:
      withConnection(socket) { beginResponse($0, socket) }
    case LWS_CALLBACK_HTTP_WRITEABLE:
      withConnection(socket) { continueResponse($0, socket) }
    case LWS_CALLBACK_ESTABLISHED:
      withConnection(socket) { establishServer($0, socket) }
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
      prepareServerSecurity(user)
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
      prepareClientSecurity(user)
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_RX:
      // libwebsockets takes CONNECT for a change to a protocol without any frames.
      -1
    case LWS_CALLBACK_WSI_DESTROY:
      detach(socket)
    default:
      handleClient(reason, on: socket, bytes)
    }
  }

  private func withConnection(_ socket: OpaquePointer, _ body: (Connection) -> Int32) -> Int32 {
    // Only listeners and connections are attached, and a listener gets none of these callbacks.
    guard let attachment = Attachment.of(socket) else { return -1 }
    return body(unsafeDowncast(attachment, to: Connection.self))
  }

  /// Something that is no connection can be read.
  private func readFile(_ socket: OpaquePointer) -> Int32 {
    switch Attachment.of(socket) {
    case let watch as DescriptorWatch: watch.action()
    case let attachment where attachment === poller: return serveReady()
    default: return acceptClients(socket)
    }
    return 0
  }

  private func runCommands() -> Int32 {
    for command in inbox.take() { command(self) }
    return 0
  }

  /// Whether a connection that libwebsockets has forgotten can be told why, as its socket is hidden.
  private func outlivesSocket(_ connection: Connection) -> Bool {
    connection.wire != nil && connection.isOpen && connection.knownClose == nil
      && !connection.peer.isEncrypted && !isShuttingDown
  }

  /// libwebsockets has forgotten a socket, so may we.
  private func detach(_ socket: OpaquePointer) -> Int32 {
    forgotten = socket
    guard let attachment = Attachment.of(socket) else { return 0 }
    lws_set_opaque_user_data(socket, nil)
    // A socket that dies while it is being made is the business of whoever makes it.
    guard attachment.socket == socket else { return 0 }
    attachment.socket = nil
    if let connection = attachment as? Connection, !outlivesSocket(connection) { end(connection) }
    return 0
  }
}
