import CWebSockets

/// The connections of a loop by name, and how each of them ends.
final class Connections {
  /// Hears of everything; set before the first event.
  var handler: (any LoopHandler)?

  private let configuration: LoopConfiguration
  private let schedule: Schedule
  private let shutdown: ShutdownState
  private var table: [ConnectionID: Connection] = [:]
  private var last: UInt64 = 0
  /// Those whose owner is not known yet.
  private var unauthenticated = UnauthenticatedConnections()
  /// The number of them that were sent away.
  private(set) var refusedCount = 0
  /// Those on which something waits to be written when the present round is over.
  private var flushes: [Connection] = []

  init(_ configuration: LoopConfiguration, _ schedule: Schedule, _ shutdown: ShutdownState) {
    self.configuration = configuration
    self.schedule = schedule
    self.shutdown = shutdown
  }

  // MARK: The table

  subscript(_ id: ConnectionID) -> Connection? { table[id] }

  /// The open WebSocket of a connection.
  func webSocket(_ id: ConnectionID) -> OpenWebSocket? { table[id]?.webSocket }

  /// Their number, of any kind and stage.
  var count: Int { table.count }

  /// All of them, in no particular order.
  var all: [Connection] { Array(table.values) }

  /// Makes a connection; names are never reused.
  func make(_ listener: Listener?, _ peer: Peer, _ stage: Connection.Stage) -> Connection {
    last += 1
    return Connection(
      id: ConnectionID(rawValue: last),
      listener: listener,
      peer: peer,
      stage: stage
    )
  }

  func add(_ connection: Connection) {
    table[connection.id] = connection
    connection.listener?.connectionCount += 1
  }

  // MARK: Whose owner is not known

  /// The one that was accepted first.
  var oldestUnauthenticated: Connection? { unauthenticated.oldest.flatMap { table[$0] } }

  /// Counts a connection that is being accepted; where there are too many, the oldest ends.
  func countUnauthenticated(
    _ connection: Connection,
    from address: SocketAddress?,
    _ limits: UnauthenticatedLimits,
    atMost total: Int
  ) {
    let network = address?.network ?? ""
    let limit = address?.isLoopback == true ? limits.perLoopbackAddress : limits.perAddress
    unauthenticated.add(connection.id, from: network)
    if let limit, unauthenticated.count(from: network) > limit,
      let oldest = unauthenticated.oldest(from: network).flatMap({ table[$0] })
    {
      sendAway(oldest, .address)
    }
    if unauthenticated.count > total, let oldest = oldestUnauthenticated {
      sendAway(oldest, .unauthenticated)
    }
  }

  /// The owner of a connection is known.
  func authenticate(_ connection: Connection) {
    unauthenticated.remove(connection.id)
    clearDeadline(of: connection)
  }

  /// Ends a connection to make room.
  func sendAway(_ connection: Connection, _ reason: ConnectionRefusal) {
    unauthenticated.remove(connection.id)
    connection.webSocket?.end(
      by: CloseEvent(code: .tryAgainLater, reason: "", initiator: .local)
    )
    refusedCount += 1
    handler?.refused(connection.peer.address, reason)
    kill(connection)
  }

  // MARK: Deadlines

  /// Ends a connection after a while, unless it gets further before.
  func setDeadline(of connection: Connection, after delay: Duration) {
    connection.setDeadline(after: delay, in: schedule) { [unowned self] in expire($0) }
  }

  func clearDeadline(of connection: Connection) {
    connection.clearDeadline(in: schedule)
  }

  /// The time of a connection is up.
  private func expire(_ connection: Connection) {
    switch connection.stage {
    case .connecting:
      giveUp(connection, ConnectFailure(kind: .unreachable, message: "timed out"))
    case .open(let webSocket) where webSocket.isWhole:
      // Greeting outstanding: the peer speaks WebSocket, so it can be told.
      close(connection, code: .policyViolation, reason: "too slow", discarding: true)
    case .open(let webSocket):
      webSocket.end(by: webSocket.wantedClose)
      kill(connection)
    case .requesting, .answering, .responding, .upgrading:
      kill(connection)
    case .ended:
      break
    }
  }

  // MARK: The end

  /// Closes a connection once everything that waits has been sent, or gives it up.
  func close(
    _ connection: Connection,
    code: CloseCode = .normal,
    reason: String? = nil,
    discarding: Bool = false
  ) {
    switch connection.stage {
    case .open(let webSocket):
      guard webSocket.wantedClose == nil else { return }
      let isSendable = code != .noStatus && code != .abnormal
      let code = isSendable ? code : .normal
      let text = (reason ?? CloseEvent.standardReason(for: code)).cut(toBytes: 123)
      webSocket.want(CloseEvent(code: code, reason: text, initiator: .local))
      if discarding { webSocket.stream.discardUnbegun() }
      setDeadline(of: connection, after: configuration.closeTimeout)
      requestFlush(of: connection)
    case .connecting:
      giveUp(connection, ConnectFailure(kind: .cancelled, message: reason ?? "closed"))
    case .requesting, .answering, .responding, .upgrading:
      kill(connection)
    case .ended:
      break
    }
  }

  /// Ends an attempt to connect for good, whatever libwebsockets is doing about it.
  func giveUp(_ connection: Connection, _ failure: ConnectFailure) {
    guard case .connecting(var attempt) = connection.stage else { return }
    attempt.verdict = attempt.verdict ?? failure
    if failure.kind == .cancelled { attempt.addresses = [] }
    connection.advance(to: .connecting(attempt))
    if connection.socket != nil {
      kill(connection)
    } else {
      end(connection)
    }
  }

  /// Ends a connection without a word, as soon as libwebsockets is left.
  func kill(_ connection: Connection) {
    let webSocket = connection.webSocket
    if let stream = webSocket?.stream, stream.isAttached {
      stream.detach()
      // In the next round: what it sent last is dealt with before its end is told.
      schedule.run(after: .zero) { [unowned self] in end(connection) }
      return
    }
    // Hidden, it would be taken over all the same, or outlive what libwebsockets knows of it.
    webSocket?.releaseHidden()
    if connection.isHeld {
      end(connection)
    } else if let socket = connection.socket {
      lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC)
    } else if webSocket != nil {
      schedule.run(after: .zero) { [unowned self] in end(connection) }
    }
  }

  /// libwebsockets has forgotten a socket, so may we.
  func loseSocket(of connection: Connection) {
    connection.socket = nil
    // Where its socket is hidden, the other side can still be told why.
    let canBeTold = connection.webSocket.map { $0.isHidden && $0.knownClose == nil } ?? false
    if canBeTold, !connection.peer.isEncrypted, !shutdown.hasBegun { return }
    end(connection)
  }

  /// Forgets a connection and tells the handler, once libwebsockets is left.
  func end(_ connection: Connection) {
    guard table.removeValue(forKey: connection.id) != nil else { return }
    clearDeadline(of: connection)
    unauthenticated.remove(connection.id)
    connection.listener?.connectionCount -= 1
    connection.held = nil
    let stage = connection.stage
    if case .open(let webSocket) = stage { _ = webSocket.count(for: nil) }
    connection.advance(to: .ended)
    let lingering = connection
    schedule.later { [unowned self] in
      // Until now libwebsockets may still have pointed at it.
      tell(stage, of: lingering)
      stopIfFinished()
    }
  }

  private func tell(_ stage: Connection.Stage, of connection: Connection) {
    switch stage {
    case .open(let webSocket):
      let broken = CloseEvent(code: .abnormal, reason: "", initiator: .none)
      handler?.closed(connection.id, webSocket.knownClose ?? broken)
    case .connecting(let attempt):
      let lost = ConnectFailure(kind: .unreachable, message: "the connection was lost")
      handler?.failed(connection.id, attempt.verdict ?? lost)
    case .requesting, .answering, .responding, .upgrading, .ended:
      break
    }
  }

  /// Ends the loop when nothing is left to wait for.
  func stopIfFinished() {
    if shutdown.hasBegun, table.isEmpty { shutdown.stop() }
  }

  /// Forgets all of them, and the handler.
  func removeAll() {
    table = [:]
    handler = nil
  }

  // MARK: What waits to be written

  /// Marks a connection, so that what waits on it is written when the present round is over.
  func requestFlush(of connection: Connection) {
    guard let stream = connection.webSocket?.stream, !stream.isFlushDue else { return }
    stream.isFlushDue = true
    flushes.append(connection)
  }

  /// True if something waits to be written.
  var needFlush: Bool { !flushes.isEmpty }

  /// Hands out the connections that asked for it.
  func removeFlushes() -> [Connection] {
    defer { flushes = [] }
    return flushes
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

/// One socket with its state, from accept or connect to its end.
final class Connection: Attachment {
  /// The step that a connection has reached.
  enum Stage {
    /// A client was accepted and has not sent a whole request yet, or not the next one.
    case requesting
    /// The answer to a request is being made.
    case answering(keepsAlive: Bool, includesBody: Bool)
    /// A response is on its way out.
    case responding(HTTPExchange)
    /// An upgrade was admitted and the answer is going out.
    case upgrading(Route, base: String, subprotocol: String?, RequestHeaders)
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
  /// Its socket until the head of its request is there.
  var held: HeldSocket?
  /// The target of its request, as it came; nil where only libwebsockets has seen it.
  var target: String?
  /// The time at which it was accepted, in microseconds.
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

  /// Whether the head of its request is not there yet.
  var isHeld: Bool { held != nil }

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
