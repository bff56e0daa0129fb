extension EventLoop {
  /// Notes that a peer is alive.
  func heard(_ connection: Connection) {
    connection.liveness?.hear(at: now)
  }

  /// Starts looking after an open connection.
  func keepAlive(_ connection: Connection) {
    let patience = connection.patience ?? configuration.patience
    connection.patience = patience
    connection.liveness = Liveness(patience, at: now)
    if keptAlive.add(connection.id, patience, at: now) { scheduleCheck(patience) }
  }

  /// Asks a connection at once whether it is still there, and ends it when no answer comes in time.
  package func doubt(_ id: ConnectionID, within patience: Duration) {
    guard let connection = connections[id], connection.isOpen else { return }
    connection.liveness?.doubt(at: now, within: patience.microseconds)
    ask(connection)
  }

  private func scheduleCheck(_ patience: Patience) {
    schedule(after: patience.checkInterval) { [unowned self] in check(patience) }
  }

  private func check(_ patience: Patience) {
    let instant = now
    guard let (members, wasAway) = keptAlive.check(patience, at: instant) else { return }
    for id in members {
      guard let connection = connections[id], connection.isOpen else { continue }
      if wasAway { connection.liveness?.excuse(at: instant) }
      switch connection.liveness?.verdict(at: instant) {
      case .ask where connection.knownClose == nil: ask(connection)
      case .lost: lose(connection)
      case .ask, .fine, nil: break
      }
    }
    scheduleCheck(patience)
  }

  private func ask(_ connection: Connection) {
    guard let stream = connection.stream, let descriptor = stream.descriptor, stream.ending == nil
    else { return }
    connection.acknowledgedBytes = SocketOptions.acknowledgedBytes(descriptor)
    stream.push(control: .ping, [UInt8](repeating: 0, count: 8))
    requestFlush(of: connection)
  }

  private func lose(_ connection: Connection) {
    if let descriptor = connection.stream?.descriptor {
      // On a slow line a ping waits behind what was sent before; that it leaves is an answer too.
      let acknowledged = SocketOptions.acknowledgedBytes(descriptor)
      if SocketOptions.isSending(descriptor), acknowledged > connection.acknowledgedBytes {
        heard(connection)
        return
      }
    }
    if connection.knownClose == nil {
      connection.knownClose = CloseEvent(code: .abnormal, reason: "no answer", initiator: .local)
    }
    kill(connection)
  }
}
