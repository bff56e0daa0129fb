import COpenSSL
import CWebSockets
import Glibc

/// How most connections are read: libwebsockets makes them, `FrameParser` reads what follows.
extension EventLoop {
  /// Makes libwebsockets tell when any of the sockets that are read here can be.
  func adoptPoller() -> Bool {
    poller.socket = adopt(poller.descriptor, for: poller)
    return poller.socket != nil
  }

  /// Makes libwebsockets tell when a descriptor can be read, which stays its owner's to read.
  func adopt(_ descriptor: Int32, for attachment: Attachment) -> OpaquePointer? {
    var info = lws_adopt_desc_t()
    info.vh = clientHosts[.plain]
    info.type = LWS_ADOPT_RAW_FILE_DESC
    info.fd.filefd = descriptor
    info.opaque = attachment.opaque
    return lws_adopt_descriptor_vhost_via_info(&info)
  }

  /// Calls an action whenever a descriptor can be read, which the action has to do, until the loop
  /// ends; then the loop closes it.
  ///
  /// - Returns: Whether it is watched; if not, it stays the caller's.
  package func watch(_ descriptor: Int32, _ action: @escaping () -> Void) -> Bool {
    guard !isShuttingDown else { return false }
    let watch = DescriptorWatch(action)
    watch.socket = adopt(descriptor, for: watch)
    guard watch.socket != nil else { return false }
    watches.append(watch)
    return true
  }

  /// Reads a connection's frames here from now on.
  ///
  /// Bytes that came with a client's request, which none may send, are libwebsockets' to read: that is
  /// over when this runs. A whole frame ends the connection; of half a frame, the rest is read here as
  /// if it began one. A server that waits sends none.
  func takeOver(_ connection: Connection) {
    guard connection.isOpen, connection.knownClose == nil, connection.incoming.isEmpty,
      let socket = connection.socket
    else { return }
    lws_rx_flow_control(socket, 0)
    connection.parser = FrameParser(
      messageLimit: connection.messageLimit,
      isMasked: !connection.isClient
    )
    poller.add(lws_get_socket_fd(socket), connection.id)
    adjustReading(connection)
  }

  /// Reads whatever can be read.
  func readReady() -> Int32 {
    for id in poller.ready() {
      if let connection = connections[id] { readAvailable(connection) }
    }
    return 0
  }

  /// Reads from one connection, with a limit, so that the others get their turn.
  private func readAvailable(_ connection: Connection) {
    for _ in 0..<4 {
      guard connection.isOpen, connection.isReading, let socket = connection.socket else {
        return
      }
      let buffer = UnsafeMutableRawBufferPointer(
        start: scratch + Int(CLWS_PRE),
        count: ProtocolTable.writeSize
      )
      switch Self.read(socket, into: buffer) {
      case nil:
        return
      case 0?:
        return kill(connection)
      case let count?:
        heard(connection)
        let isEmptied = count < buffer.count && lws_get_ssl(socket) == nil
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
        for event in connection.parser?.read(bytes) ?? [] { take(event, on: connection) }
        countUnfinished(of: connection)
        // What comes later, the poller tells of.
        if isEmptied { return }
      }
    }
    if let session = connection.socket.flatMap({ lws_get_ssl($0) }), SSL_has_pending(session) != 0 {
      later { [unowned self] in readAvailable(connection) }
    }
  }

  /// Reads some bytes: nil when there are none yet, 0 when there will be none.
  private static func read(
    _ socket: OpaquePointer,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let session = lws_get_ssl(socket) else {
      while true {
        let count = recv(
          lws_get_socket_fd(socket),
          buffer.baseAddress,
          buffer.count,
          Int32(MSG_DONTWAIT)
        )
        if count >= 0 { return count }
        if errno != EINTR { return errno == EAGAIN ? nil : 0 }
      }
    }
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    guard count <= 0 else { return Int(count) }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return nil
    default: return 0
    }
  }

  private func take(_ event: FrameParser.Event, on connection: Connection) {
    guard let socket = connection.socket, connection.isOpen else { return }
    switch event {
    case .message(let message):
      // Once either side closes, what still comes in is nobody's.
      guard connection.wantedClose == nil, connection.knownClose == nil else { return }
      handler?.received(message, on: connection.id)
    case .ping(let payload):
      guard connection.ending == nil else { return }
      connection.pongs.append(payload)
      adjustReading(connection)
      lws_callback_on_writable(socket)
    case .pong:
      break
    case .close(let event):
      if connection.ending != nil { return hangUp(connection, lingers: false) }
      connection.knownClose = event
      setDeadline(of: connection, after: configuration.closeTimeout)
      lws_callback_on_writable(socket)
    case .violation(let code, let reason):
      if connection.ending != nil { return hangUp(connection, lingers: true) }
      close(connection.id, code: code, reason: reason.isEmpty ? nil : reason)
    }
  }

  // MARK: Limits

  /// Sets how much may come in on a connection, from its next frame on.
  package func limit(_ id: ConnectionID, to limits: ReceiveLimits) {
    guard let connection = connections[id] else { return }
    connection.messageLimit = limits.messageBytes
    connection.parser?.messageLimit = limits.messageBytes
    setSender((limits.sender, limits.unfinishedBytes), of: connection)
  }

  /// Counts a connection's unfinished message for another sender, or for none.
  func setSender(_ sender: (name: String, unfinishedBytes: Int)?, of connection: Connection) {
    if let old = connection.sender {
      unfinished.replace(connection.countedBytes, by: 0, of: old.name)
    }
    connection.countedBytes = 0
    connection.sender = sender
    if sender != nil { countUnfinished(of: connection) }
  }

  /// Counts what has come of a message that is not whole; closes the connection when its sender has
  /// sent too much of such.
  private func countUnfinished(of connection: Connection) {
    guard let sender = connection.sender, connection.isOpen else { return }
    let bytes = connection.parser?.unfinishedBytes ?? 0
    guard bytes != connection.countedBytes else { return }
    unfinished.replace(connection.countedBytes, by: bytes, of: sender.name)
    connection.countedBytes = bytes
    guard bytes > 0, unfinished.sum(of: sender.name) > sender.unfinishedBytes else { return }
    connection.parser?.stop()
    unfinished.replace(bytes, by: 0, of: sender.name)
    connection.countedBytes = 0
    close(connection.id, code: .tryAgainLater, reason: "too many unfinished messages")
  }

  // MARK: Pongs

  /// How many pongs may wait before nothing more is read.
  private static let pongLimit = 256

  /// Reads, or does not for now.
  func adjustReading(_ connection: Connection) {
    guard let socket = connection.socket, connection.parser != nil else { return }
    let isWanted = !connection.isPaused && connection.pongs.count < Self.pongLimit
    guard isWanted != connection.isReading else { return }
    connection.isReading = isWanted
    poller.listen(to: lws_get_socket_fd(socket), connection.id, isWanted)
    // What TLS holds already, no poll tells of.
    if isWanted { later { [unowned self] in readAvailable(connection) } }
  }

  /// Answers the pings that wait, as far as the socket takes it; false when it is broken.
  func writePongs(_ connection: Connection, _ socket: OpaquePointer) -> Bool {
    while !connection.pongs.isEmpty, lws_send_pipe_choked(socket) == 0 {
      let batch = connection.pongs.prefix(64)
      let frames = batch.flatMap { Self.controlFrame(10, $0, isMasked: connection.isClient) }
      guard write(raw: frames, to: socket) else { return false }
      connection.pongs.removeFirst(batch.count)
    }
    adjustReading(connection)
    return true
  }

  private static func controlFrame(
    _ opcode: UInt8,
    _ payload: [UInt8],
    isMasked: Bool
  ) -> [UInt8] {
    guard isMasked else { return [0x80 | opcode, UInt8(payload.count)] + payload }
    let mask = (0..<4).map { _ in UInt8.random(in: .min ... .max) }
    return [0x80 | opcode, 0x80 | UInt8(payload.count)] + mask
      + zip(0..., payload).map { $1 ^ mask[$0 & 3] }
  }

  /// Bytes that libwebsockets takes for HTTP leave as they are.
  private func write(raw bytes: [UInt8], to socket: OpaquePointer) -> Bool {
    memcpy(scratch + Int(CLWS_PRE), bytes, bytes.count)
    let flags = Int32(LWS_WRITE_HTTP.rawValue)
    return clws_write(socket, scratch + Int(CLWS_PRE), bytes.count, flags) == bytes.count
  }

  // MARK: The end

  /// Sends the close frame of a connection that is read here.
  func sendClose(
    _ connection: Connection,
    _ socket: OpaquePointer,
    _ event: CloseEvent
  ) -> Int32 {
    var payload: [UInt8] = []
    if event.code != .noStatus {
      payload = [UInt8(event.code.rawValue >> 8), UInt8(event.code.rawValue & 0xFF)]
      // A close of the other side is answered by its code.
      if event.initiator == .local { payload += event.reason.utf8.prefix(123) }
    }
    let frame = Self.controlFrame(8, payload, isMasked: connection.isClient)
    guard write(raw: frame, to: socket) else { return -1 }
    let isAnswer = connection.knownClose != nil
    if connection.knownClose == nil { connection.knownClose = event }
    connection.ending = .answerAwaited
    setDeadline(of: connection, after: configuration.closeTimeout)
    if isAnswer || connection.parser?.isFinished == true {
      hangUp(connection, lingers: !isAnswer)
    }
    return 0
  }

  /// Ends a connection whose close frames are done with, as soon as everything has left.
  ///
  /// Hanging up on bytes that were not read would destroy the close on its way; so after a violation
  /// only our side is closed, and what still comes is read and forgotten.
  private func hangUp(_ connection: Connection, lingers: Bool) {
    guard connection.ending == .answerAwaited, let socket = connection.socket else { return }
    connection.ending = .leaving(lingers: lingers)
    _ = continueEnding(connection, socket)
  }

  /// Goes on with ending a connection, when its socket takes more.
  func continueEnding(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .leaving(let lingers) = connection.ending else { return 0 }
    guard lws_partial_buffered(socket) == 0 else {
      lws_callback_on_writable(socket)
      return 0
    }
    if let session = lws_get_ssl(socket) { SSL_shutdown(session) }
    shutdown(lws_get_socket_fd(socket), Int32(SHUT_WR))
    connection.ending = .lingering
    if !lingers { kill(connection) }
    return 0
  }
}
