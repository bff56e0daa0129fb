import CWebSockets

extension EventLoop {
  /// Closes a connection once everything that waits has been sent; `closed` follows.
  ///
  /// A connection that is still being made is given up, with `failed`. Nothing more is received.
  ///
  /// - Parameters:
  ///   - id: The connection.
  ///   - code: The code for the other side; 1005 and 1006 cannot be sent and count as 1000.
  ///   - reason: A text of at most 123 bytes; a longer one is cut. Without one, the code's own.
  ///   - discarding: Whether to send nothing that has not begun to leave: for a peer that does not
  ///     keep up.
  package func close(
    _ id: ConnectionID,
    code: CloseCode = .normal,
    reason: String? = nil,
    discarding: Bool = false
  ) {
    guard let connection = connections[id], connection.wantedClose == nil else { return }
    switch connection.stage {
    case .open:
      let isSendable = code != .noStatus && code != .abnormal
      let code = isSendable ? code : .normal
      let text = (reason ?? CloseEvent.standardReason(for: code)).cut(toBytes: 123)
      connection.wantedClose = CloseEvent(code: code, reason: text, initiator: .local)
      if discarding { connection.queue.discardUnbegun() }
      setDeadline(of: connection, after: configuration.closeTimeout)
      if let socket = connection.socket { lws_callback_on_writable(socket) }
    case .connecting:
      giveUp(connection, ConnectFailure(kind: .cancelled, message: reason ?? "closed"))
    case .requesting, .responding, .upgrading:
      kill(connection)
    case .ended:
      break
    }
  }

  /// Tells a connection on a route that greets that the greeting was good: the deadline is lifted.
  package func keep(_ id: ConnectionID) {
    guard let connection = connections[id], connection.isOpen, connection.wantedClose == nil else {
      return
    }
    clearDeadline(of: connection)
    unauthenticated.remove(id)
    if connection.sender?.name == "" { setSender(nil, of: connection) }
  }

  /// Sends the close frame.
  ///
  /// libwebsockets does so only when a callback returns an error, and that may not be one that
  /// receives, as `UTF8Check` explains.
  func closeNow(
    _ connection: Connection,
    _ socket: OpaquePointer,
    _ event: CloseEvent
  ) -> Int32 {
    connection.knownClose = event
    var bytes = Array(event.reason.utf8)
    let status = lws_close_status(UInt32(event.code.rawValue))
    lws_close_reason(socket, status, &bytes, bytes.count)
    setDeadline(of: connection, after: configuration.closeTimeout)
    return -1
  }

  /// The other side closes: libwebsockets answers by itself, with this payload.
  func peerCloses(_ connection: Connection, _ payload: UnsafeMutableRawBufferPointer) -> Int32 {
    var text = UTF8Check()
    let reason = UnsafeRawBufferPointer(rebasing: payload.dropFirst(2))
    if payload.count > 2, !text.accept(reason) || !text.isComplete {
      payload.storeBytes(of: CloseCode.invalidPayload.rawValue.bigEndian, as: UInt16.self)
      for index in 2..<payload.count { payload[index] = UInt8(ascii: "?") }
    }
    if connection.knownClose == nil {
      connection.knownClose = .remote(payload: UnsafeRawBufferPointer(payload))
    }
    setDeadline(of: connection, after: configuration.closeTimeout)
    return 0
  }

  /// The time of a connection is up.
  func expire(_ connection: Connection) {
    switch connection.stage {
    case .connecting:
      giveUp(connection, ConnectFailure(kind: .unreachable, message: "timed out"))
    case .open where connection.knownClose == nil && connection.wantedClose == nil:
      // Greeting outstanding: the peer speaks WebSocket, so it can be told.
      close(connection.id, code: .policyViolation, reason: "too slow", discarding: true)
    case .open, .requesting, .responding, .upgrading:
      if connection.knownClose == nil { connection.knownClose = connection.wantedClose }
      kill(connection)
    case .ended:
      break
    }
  }

  /// Ends a connection without a word, as soon as libwebsockets is left.
  func kill(_ connection: Connection) {
    guard let socket = connection.socket else { return }
    lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
  }

  /// Notes how an open connection ended, while its socket can still be asked.
  func noteEnd(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    // A client hangs up without a word instead, and masks what it sends where it lies.
    if connection.knownClose == nil, connection.isOpen, !connection.isClient,
      lws_get_close_length(socket) >= 2
    {
      connection.knownClose = violation(socket)
    }
    return 0
  }

  /// The close that libwebsockets itself sent, after a violation such as an unknown kind of frame.
  private func violation(_ socket: OpaquePointer) -> CloseEvent {
    let payload = UnsafeRawBufferPointer(
      start: lws_get_close_payload(socket),
      count: Int(lws_get_close_length(socket))
    )
    let sent = CloseEvent.remote(payload: payload)
    return CloseEvent(code: sent.code, reason: sent.reason, initiator: .local)
  }

  /// Forgets a connection and tells the handler, once libwebsockets is left.
  func end(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    clearDeadline(of: connection)
    setSender(nil, of: connection)
    unauthenticated.remove(connection.id)
    if let patience = connection.patience { keptAlive.remove(connection.id, patience) }
    connection.listener?.connectionCount -= 1
    let stage = connection.stage
    connection.stage = .ended
    let lingering = connection
    later { [unowned self] in
      // Until now libwebsockets may still have pointed at it.
      tell(stage, of: lingering)
      stopIfFinished()
    }
  }

  private func tell(_ stage: Connection.Stage, of connection: Connection) {
    switch stage {
    case .open:
      let broken = CloseEvent(code: .abnormal, reason: "", initiator: .none)
      handler?.closed(connection.id, connection.knownClose ?? broken)
    case .connecting(let attempt):
      let lost = ConnectFailure(kind: .unreachable, message: "the connection was lost")
      handler?.failed(connection.id, attempt.verdict ?? lost)
    case .requesting, .responding, .upgrading, .ended:
      break
    }
  }
}

extension String {
  /// The longest start of the text that has at most so many bytes in UTF-8.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var result = self[...]
    while result.utf8.count > limit { result.removeLast() }
    return String(result)
  }
}
