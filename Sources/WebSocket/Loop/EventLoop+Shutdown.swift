import CWebSockets

extension EventLoop {
  /// Closes everything with a code, and ends the loop when all is closed or the time is up.
  package func shutDown(code: CloseCode, reason: String, within limit: Duration) {
    guard !isShuttingDown else { return }
    isShuttingDown = true
    for listener in listeners.values {
      listener.listening.removeFile()
      if let socket = listener.socket {
        lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
      }
    }
    for connection in Array(connections.values) {
      // A response that is on its way may finish; its connection then ends by itself.
      if case .responding = connection.stage { continue }
      close(connection.id, code: code, reason: reason)
    }
    schedule(after: limit) { [unowned self] in stop() }
    stopIfFinished()
  }

  /// Ends the loop when nothing is left to wait for.
  func stopIfFinished() {
    if isShuttingDown, connections.isEmpty { stop() }
  }
}
