/// One socket with its state, from accept or connect to its end.
final class Connection: Attachment {
  /// How far a connection has come.
  enum Stage {
    /// A client was accepted and has not sent a whole request yet, or not the next one.
    case requesting
    /// A response is on its way out.
    case responding(HTTPExchange)
    /// An upgrade was admitted and the answer is going out.
    case upgrading(Route, subprotocol: String?, RequestHeaders)
    /// This side is connecting.
    case connecting(ConnectAttempt)
    /// Messages flow.
    case open(OpenWebSocket)
    /// The handler has been told, or there is nothing to tell.
    case ended
  }

  let id: ConnectionID
  /// The listener that accepted it; nil when this side connected.
  let listener: Listener?
  /// The other side, as far as it was known in the beginning.
  let peer: Peer
  /// When it was accepted, in microseconds.
  let accepted = now
  private(set) var stage: Stage
  /// The timer that ends the connection if it does not get further.
  private var deadline: TimerID?

  init(id: ConnectionID, listener: Listener?, peer: Peer, stage: Stage) {
    self.id = id
    self.listener = listener
    self.peer = peer
    self.stage = stage
  }

  /// Goes on to another stage.
  func advance(to stage: Stage) { self.stage = stage }

  /// The WebSocket, while it is open.
  var webSocket: OpenWebSocket? {
    if case .open(let webSocket) = stage { webSocket } else { nil }
  }

  /// Runs an action after a while, unless the connection gets further before.
  func setDeadline(
    after delay: Duration,
    in schedule: Schedule,
    _ action: @escaping (Connection) -> Void
  ) {
    clearDeadline(in: schedule)
    deadline = schedule.run(after: delay) { [weak self] in
      guard let self else { return }
      deadline = nil
      action(self)
    }
  }

  func clearDeadline(in schedule: Schedule) {
    if let deadline { schedule.cancel(deadline) }
    deadline = nil
  }
}
