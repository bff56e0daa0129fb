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
      if discarding { connection.stream?.discardUnbegun() }
      setDeadline(of: connection, after: configuration.closeTimeout)
      requestFlush(of: connection)
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
    if let stream = connection.stream, stream.isAttached {
      stream.detach()
      // In the next round: what it sent last is dealt with before its end is told.
      schedule(after: .zero) { [unowned self] in end(connection) }
      return
    }
    // Hidden, it would be taken over all the same, or outlive what libwebsockets knows of it.
    connection.wire = nil
    if let socket = connection.socket {
      lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
    } else if connection.isOpen {
      schedule(after: .zero) { [unowned self] in end(connection) }
    }
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
