import CWebSockets

extension EventLoop {
  /// Notes that a peer is alive.
  @discardableResult
  func heard(_ connection: Connection) -> Int32 {
    connection.lastHeard = now
    return 0
  }

  /// Starts looking after open connections, if nobody does yet.
  func keepAlive() {
    guard !isKeepingAlive else { return }
    isKeepingAlive = true
    scheduleCheck()
  }

  private func scheduleCheck() {
    // Often enough that a ping is at most a quarter of its interval late.
    let interval = min(configuration.pingInterval, configuration.silenceLimit) / 4
    schedule(after: max(interval, .milliseconds(5))) { [unowned self] in
      checkSilence()
    }
  }

  private func checkSilence() {
    let instant = now
    var isNeeded = false
    for connection in connections.values where connection.isOpen {
      isNeeded = true
      let silence = instant - connection.lastHeard
      if silence >= configuration.silenceLimit.microseconds {
        if connection.knownClose == nil {
          connection.knownClose = CloseEvent(
            code: .abnormal,
            reason: "no answer",
            initiator: .local
          )
        }
        kill(connection)
      } else if silence >= configuration.pingInterval.microseconds,
        instant - connection.lastPing >= configuration.pingInterval.microseconds,
        connection.knownClose == nil, let socket = connection.socket
      {
        connection.lastPing = instant
        connection.isPingDue = true
        lws_callback_on_writable(socket)
      }
    }
    isKeepingAlive = isNeeded
    if isNeeded { scheduleCheck() }
  }
}
