import CWebSockets
import PalettePlatform

/// The open WebSockets of a loop: libwebsockets makes them, `FrameStream` reads and writes what follows.
final class WebSocketService {
  private let configuration: LoopConfiguration
  private let library: ServiceContext
  private let schedule: Schedule
  private let shutdown: ShutdownState
  private let connections: Connections
  private let liveness: LivenessChecks
  /// The sockets, which libwebsockets has given up.
  private let poller = Poller()
  private let unfinished = UnfinishedBytes()
  /// The connections whose sockets are hidden from libwebsockets since the last round.
  private var hidden: [Connection] = []
  /// The connections of which TLS holds bytes that are read in the next round.
  private var unread: [Connection] = []
  /// A file that never says anything.
  private let silence = clws_poller()
  /// The socket that libwebsockets has forgotten last.
  private var forgotten: OpaquePointer?
  /// The place where frames are put together on their way out, and read on their way in.
  private let scratch: UnsafeMutablePointer<UInt8>
  /// Counts how often libwebsockets was served.
  private var round: UInt64 = 1

  init(
    _ configuration: LoopConfiguration,
    _ library: ServiceContext,
    _ schedule: Schedule,
    _ shutdown: ShutdownState,
    _ connections: Connections
  ) {
    self.configuration = configuration
    self.library = library
    self.schedule = schedule
    self.shutdown = shutdown
    self.connections = connections
    liveness = LivenessChecks(connections, schedule)
    scratch = .allocate(capacity: OutgoingFrames.pieceSize)
  }

  deinit {
    scratch.deallocate()
    if silence >= 0 { PalettePlatform.close(silence) }
  }

  /// Adds the poller to libwebsockets, which then reports when any of the sockets is ready.
  func open() -> Bool { library.adoptFile(poller.descriptor, for: poller) }

  // MARK: The rounds of the loop

  /// libwebsockets is about to be served.
  func beginRound() { round &+= 1 }

  /// libwebsockets has been served.
  func endRound() {
    finishTakingOver()
    let due = unread
    unread = []
    for connection in due { read(connection) }
  }

  /// Serves whatever is ready, if the poller says that something is.
  func serve(_ attachment: Attachment?) -> Bool {
    guard attachment === poller else { return false }
    for ready in poller.ready() {
      guard let connection = connections[ready.id] else { continue }
      if ready.isReadable { read(connection) }
      if ready.isWritable { flush(connection) }
      // Where nothing is read at present, nothing else would notice.
      if ready.isOver, !ready.isReadable { connections.kill(connection) }
    }
    return true
  }

  /// Writes what waits on the connections that asked for it.
  func flushAll() {
    while connections.needFlush {
      for connection in connections.removeFlushes() {
        connection.webSocket?.stream.isFlushDue = false
        flush(connection)
      }
    }
  }

  /// libwebsockets has forgotten a socket.
  func forget(_ socket: OpaquePointer) { forgotten = socket }

  // MARK: The beginning

  /// Tells the handler about a connection, from where on messages flow.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - info: What the handler is told.
  ///   - limits: The most bytes of a message, and the most that may wait to be sent.
  ///   - patience: How it is found out that it is dead; nil for what is usual.
  ///   - greets: Whether the other side has to greet before its owner is known.
  func begin(
    _ connection: Connection,
    _ info: ConnectionInfo,
    _ limits: (message: Int, queue: Int),
    _ patience: Patience?,
    greets: Bool
  ) {
    let stream = FrameStream(
      connection.id,
      messageLimit: limits.message,
      queueLimit: limits.queue,
      isClient: info.role == .client
    )
    let patience = patience ?? configuration.patience
    let webSocket = OpenWebSocket(stream, patience, unfinished)
    if greets {
      // Until it has greeted, nobody is known to whom its bytes could be counted.
      _ = webSocket.count(for: (name: "", unfinishedBytes: configuration.unauthenticatedBytes))
    } else {
      connections.authenticate(connection)
    }
    connection.advance(to: .open(webSocket))
    liveness.add(connection, patience)
    connections.handler?.connected(info)
    schedule.later { [unowned self] in takeOver(connection) }
  }

  /// Takes a connection's socket away from libwebsockets.
  ///
  /// What came along with a client's request, which nothing may, is libwebsockets' to read: it has one
  /// more round for that, in which it reads nothing else, and that ends the connection. A partial early
  /// frame is misparsed here and fails the connection.
  private func takeOver(_ connection: Connection) {
    guard let webSocket = connection.webSocket, webSocket.knownClose == nil,
      let socket = connection.socket
    else { return }
    guard webSocket.hide(socket, behind: silence) else { return connections.kill(connection) }
    hidden.append(connection)
    library.wake()
  }

  /// Reads and writes frames here from now on, where libwebsockets has had its round.
  private func finishTakingOver() {
    let ready = hidden
    hidden = []
    for connection in ready {
      guard let webSocket = connection.webSocket, let wire = webSocket.releaseHidden() else {
        continue
      }
      // What came early was so broken that libwebsockets has ended the connection, or wants to.
      let isBroken = connection.socket.map { lws_get_close_length($0) > 0 } ?? true
      var isAdopted = true
      if let socket = connection.socket {
        connection.socket = nil
        forgotten = nil
        isAdopted = wire.adopt(from: socket, isForgotten: { forgotten == socket })
      }
      guard isAdopted, poller.add(wire.descriptor, connection.id) else {
        connections.end(connection)
        continue
      }
      if isBroken { connections.close(connection, code: .protocolError, discarding: true) }
      if let limit = webSocket.patience.unacknowledgedLimit {
        SocketOptions.setUserTimeout(limit, of: wire.descriptor)
      }
      webSocket.stream.attach(wire, poller)
      // What TLS holds already, no poll tells of.
      read(connection)
      flush(connection)
    }
  }

  // MARK: Sending

  /// Queues a message on a connection.
  func push(_ frame: MessageFrame, to id: ConnectionID) -> SendResult {
    push(CollectionOfOne(frame), to: id)
  }

  /// Queues messages on a connection, up to the first for which there is no room.
  func push(_ frames: some Sequence<MessageFrame>, to id: ConnectionID) -> SendResult {
    guard let connection = connections[id], let webSocket = connection.webSocket, webSocket.isWhole
    else { return .closed }
    let stream = webSocket.stream
    var isQueued = true
    for frame in frames where isQueued {
      isQueued = stream.push(frame, in: round)
      if isQueued, frame.count > OutgoingFrames.batchedSize {
        // A peer shall not wait for a long frame while this thread makes the next one, or reads.
        guard stream.flush(using: scratch) else {
          connections.kill(connection)
          return .closed
        }
      }
    }
    if !stream.isEmpty || stream.isCongested { connections.requestFlush(of: connection) }
    return isQueued ? .queued : .full
  }

  /// Writes what waits on a connection now.
  func flush(_ id: ConnectionID) {
    guard let connection = connections[id], let stream = connection.webSocket?.stream,
      stream.isAttached
    else { return }
    if !stream.flush(using: scratch) { connections.kill(connection) }
  }

  /// Writes what waits, until the socket takes no more; then closes, if that is wanted.
  private func flush(_ connection: Connection) {
    guard let webSocket = connection.webSocket, webSocket.stream.isAttached else { return }
    let stream = webSocket.stream
    guard stream.flush(using: scratch) else { return connections.kill(connection) }
    if stream.adjustReading() { readSoon(connection) }
    if stream.isEmpty { goOnEnding(connection, webSocket) }
    if connection.webSocket != nil, stream.isRelieved() {
      connections.handler?.drained(connection.id)
    }
  }

  // MARK: Reading

  /// Reads from one connection, with a limit, so that the others get their turn.
  private func read(_ connection: Connection) {
    guard let webSocket = connection.webSocket else { return }
    let buffer = UnsafeMutableRawBufferPointer(start: scratch, count: ProtocolTable.writeSize)
    for _ in 0..<4 {
      guard connection.webSocket != nil else { return }
      switch webSocket.stream.read(using: buffer) {
      case .nothing: return
      case .ended: return connections.kill(connection)
      case .frames(let events, let isEmptied):
        webSocket.hear()
        for event in events { handle(event, on: connection, webSocket) }
        if !webSocket.countUnfinished() { refuseUnfinished(connection) }
        // What comes later, the poller tells of.
        if isEmptied { return }
      }
    }
    readSoon(connection)
  }

  /// Schedules a read of what TLS holds already, which no poll reports, for the next round.
  ///
  /// In the present round, a peer that never falls silent would keep all others waiting.
  private func readSoon(_ connection: Connection) {
    guard connection.webSocket?.stream.hasPending == true, !shutdown.isStopped else { return }
    if unread.isEmpty { library.wake() }
    unread.append(connection)
  }

  private func handle(
    _ event: FrameParser.Event,
    on connection: Connection,
    _ webSocket: OpenWebSocket
  ) {
    guard connection.webSocket != nil else { return }
    let stream = webSocket.stream
    switch event {
    case .message(let message):
      // Once either side closes, what still comes in is nobody's.
      guard webSocket.isWhole else { return }
      connections.handler?.received(message, on: connection.id)
    case .ping(let payload):
      guard stream.ending == nil else { return }
      stream.push(control: .pong, payload)
      stream.adjustReading()
      connections.requestFlush(of: connection)
    case .pong:
      break
    case .close(let event):
      if stream.ending != nil { return hangUp(connection, stream, lingers: false) }
      webSocket.end(by: event)
      connections.setDeadline(of: connection, after: configuration.closeTimeout)
      connections.requestFlush(of: connection)
    case .violation(let code, let reason):
      if stream.ending != nil { return hangUp(connection, stream, lingers: true) }
      connections.close(connection, code: code, reason: reason.isEmpty ? nil : reason)
    }
  }

  /// Reads nothing more from a connection for now, so that its sender has to wait.
  func pause(_ id: ConnectionID) {
    guard let stream = connections.webSocket(id)?.stream, !stream.isPaused else { return }
    stream.isPaused = true
    stream.adjustReading()
  }

  /// Reads on from a connection that was paused.
  func resume(_ id: ConnectionID) {
    guard let connection = connections[id], let webSocket = connection.webSocket,
      webSocket.stream.isPaused
    else { return }
    webSocket.stream.isPaused = false
    // It could not be heard meanwhile.
    webSocket.hear()
    if webSocket.stream.adjustReading() { readSoon(connection) }
  }

  /// Asks a connection at once whether it is still there, and ends it when no answer comes in time.
  func doubt(_ id: ConnectionID, within patience: Duration) {
    if let connection = connections[id] { liveness.doubt(connection, within: patience) }
  }

  // MARK: Limits

  /// Sets how much may come in on a connection, from its next frame on.
  func limit(_ id: ConnectionID, to limits: ReceiveLimits) {
    guard let connection = connections[id], let webSocket = connection.webSocket else { return }
    webSocket.stream.limitMessages(to: limits.messageBytes)
    count(connection, webSocket, for: (limits.sender, limits.unfinishedBytes))
  }

  /// The bytes of a sender's unfinished messages.
  func unfinishedBytes(of sender: String) -> Int { unfinished.sum(of: sender) }

  /// The greeting of a connection was good.
  func keep(_ id: ConnectionID) {
    guard let connection = connections[id], let webSocket = connection.webSocket,
      webSocket.wantedClose == nil
    else { return }
    connections.authenticate(connection)
    if webSocket.hasUnknownSender { count(connection, webSocket, for: nil) }
  }

  private func count(
    _ connection: Connection,
    _ webSocket: OpenWebSocket,
    for sender: (name: String, unfinishedBytes: Int)?
  ) {
    if !webSocket.count(for: sender) { refuseUnfinished(connection) }
  }

  private func refuseUnfinished(_ connection: Connection) {
    connections.close(connection, code: .tryAgainLater, reason: "too many unfinished messages")
  }

  // MARK: The end

  /// Everything that waited has left: goes on with the end of a connection, if there is one.
  private func goOnEnding(_ connection: Connection, _ webSocket: OpenWebSocket) {
    switch webSocket.stream.ending {
    case nil:
      if let close = webSocket.knownClose ?? webSocket.wantedClose {
        sendClose(connection, webSocket, close)
      }
    case .leaving(let lingers):
      webSocket.stream.finish()
      if !lingers { connections.kill(connection) }
    case .answerAwaited, .lingering:
      break
    }
  }

  private func sendClose(
    _ connection: Connection,
    _ webSocket: OpenWebSocket,
    _ event: CloseEvent
  ) {
    var payload: [UInt8] = []
    if event.code != .noStatus {
      payload = [UInt8(event.code.rawValue >> 8), UInt8(event.code.rawValue & 0xFF)]
      // A close of the other side is answered by its code.
      if event.initiator == .local { payload += event.reason.utf8.prefix(123) }
    }
    let stream = webSocket.stream
    stream.push(control: .close, payload)
    let isAnswer = webSocket.knownClose != nil
    webSocket.end(by: event)
    stream.ending = isAnswer || stream.isDeaf ? .leaving(lingers: !isAnswer) : .answerAwaited
    connections.setDeadline(of: connection, after: configuration.closeTimeout)
    flush(connection)
  }

  /// Ends a connection whose close frames are done with, as soon as everything has left.
  ///
  /// Hanging up on bytes that were not read would destroy the close on its way; so after a violation
  /// only our side is closed, and what still comes is read and forgotten.
  private func hangUp(_ connection: Connection, _ stream: FrameStream, lingers: Bool) {
    guard stream.ending == .answerAwaited else { return }
    stream.ending = .leaving(lingers: lingers)
    flush(connection)
  }
}
