import CWebSockets

/// Open WebSockets: libwebsockets makes them, `FrameStream` reads and writes what follows.
extension EventLoop {
  // MARK: Sending

  /// Queues a message on a connection.
  @discardableResult
  package func send(
    _ bytes: some Collection<UInt8>,
    as kind: Message.Kind,
    to id: ConnectionID
  ) -> SendResult {
    guard let connection = connections[id] else { return .closed }
    return push(Frame(bytes, kind: kind), to: connection)
  }

  /// Queues a message that other connections may have too.
  package func send(_ message: OutgoingMessage, to id: ConnectionID) -> SendResult {
    guard let connection = connections[id] else { return .closed }
    return push(message.frame, to: connection)
  }

  /// Queues one message on many connections; they share its bytes.
  ///
  /// - Returns: The connections that did not take it, with the reason.
  @discardableResult
  package func broadcast(
    _ bytes: some Collection<UInt8>,
    as kind: Message.Kind,
    to ids: some Sequence<ConnectionID>
  ) -> [ConnectionID: SendResult] {
    let frame = Frame(bytes, kind: kind)
    var failures: [ConnectionID: SendResult] = [:]
    for id in ids {
      let result = connections[id].map { push(frame, to: $0) } ?? .closed
      if result != .queued { failures[id] = result }
    }
    return failures
  }

  /// The bytes that wait to be sent on a connection.
  package func queuedBytes(of id: ConnectionID) -> Int {
    connections[id]?.stream?.queuedBytes ?? 0
  }

  /// Whether so much waits on a connection that its sender should pause; `drained` follows then.
  package func isCongested(_ id: ConnectionID) -> Bool {
    connections[id]?.stream?.isCongested ?? false
  }

  private func push(_ frame: Frame, to connection: Connection) -> SendResult {
    guard connection.isOpen, connection.wantedClose == nil, connection.knownClose == nil,
      let stream = connection.stream
    else { return .closed }
    let isQueued = stream.push(frame, in: round)
    if isQueued, frame.count > OutgoingFrames.batchedSize {
      // A peer shall not wait for a long frame while this thread makes the next one, or reads.
      guard stream.flush(using: scratch) else {
        kill(connection)
        return .closed
      }
    }
    if !stream.isEmpty || stream.isCongested { requestFlush(of: connection) }
    return isQueued ? .queued : .full
  }

  /// Writes what waits on a connection now, for whoever will keep this thread busy.
  package func flush(_ id: ConnectionID) {
    guard let connection = connections[id], connection.isOpen, let stream = connection.stream,
      stream.isAttached
    else { return }
    if !stream.flush(using: scratch) { kill(connection) }
  }

  /// Writes what waits on a connection when the present round is over.
  func requestFlush(of connection: Connection) {
    guard let stream = connection.stream, !stream.isFlushDue else { return }
    stream.isFlushDue = true
    flushes.append(connection)
  }

  /// Writes what waits on the connections that asked for it.
  func flushAll() {
    while !flushes.isEmpty {
      let due = flushes
      flushes = []
      for connection in due {
        connection.stream?.isFlushDue = false
        flush(connection)
      }
    }
  }

  /// Writes what waits, until the socket takes no more; then closes, if that is wanted.
  func flush(_ connection: Connection) {
    guard connection.isOpen, let stream = connection.stream, stream.isAttached else { return }
    guard stream.flush(using: scratch) else { return kill(connection) }
    if stream.adjustReading() { readSoon(connection) }
    if stream.isEmpty { goOnEnding(connection, stream) }
    if connection.isOpen, stream.isRelieved() { handler?.drained(connection.id) }
  }

  // MARK: Reading

  /// Takes a connection's socket away from libwebsockets.
  ///
  /// What came along with a client's request, which nothing may, is libwebsockets' to read: it has one
  /// more round for that, in which it reads nothing else, and that ends the connection. Of half a frame,
  /// the rest is read here as if it began one.
  func takeOver(_ connection: Connection) {
    guard connection.isOpen, connection.knownClose == nil, let socket = connection.socket else {
      return
    }
    connection.wire = WireSocket(hiding: socket, behind: silence)
    guard connection.wire != nil, lws_partial_buffered(socket) == 0 else { return kill(connection) }
    hidden.append(connection)
    lws_cancel_service(context)
  }

  /// Reads and writes frames here from now on, where libwebsockets has had its round.
  func finishTakingOver() {
    let ready = hidden
    hidden = []
    for connection in ready {
      guard connection.isOpen, let wire = connection.wire, let stream = connection.stream else {
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
      connection.wire = nil
      guard isAdopted, poller.add(wire.descriptor, connection.id) else {
        end(connection)
        continue
      }
      if isBroken { close(connection.id, code: .protocolError, discarding: true) }
      if let limit = connection.patience?.unacknowledgedLimit {
        SocketOptions.setUserTimeout(limit, of: wire.descriptor)
      }
      stream.attach(wire, poller)
      // What TLS holds already, no poll tells of.
      read(connection)
      flush(connection)
    }
  }

  /// Something came before there was anybody to read it: what libwebsockets makes of that is not
  /// to be relied on, as it may have written over what came early.
  func refuseEarly(_ connection: Connection) -> Int32 {
    close(connection.id, code: .protocolError, discarding: true)
    return 0
  }

  /// Serves whatever is ready.
  func serveReady() -> Int32 {
    for ready in poller.ready() {
      guard let connection = connections[ready.id] else { continue }
      if ready.isReadable { read(connection) }
      if ready.isWritable { flush(connection) }
      // Where nothing is read at present, nothing else would notice.
      if ready.isOver, !ready.isReadable { kill(connection) }
    }
    return 0
  }

  /// Reads from one connection, with a limit, so that the others get their turn.
  private func read(_ connection: Connection) {
    guard let stream = connection.stream else { return }
    let buffer = UnsafeMutableRawBufferPointer(start: scratch, count: ProtocolTable.writeSize)
    for _ in 0..<4 {
      guard connection.isOpen else { return }
      switch stream.read(using: buffer) {
      case .nothing: return
      case .ended: return kill(connection)
      case .frames(let events, let isEmptied):
        heard(connection)
        for event in events { take(event, on: connection, stream) }
        countUnfinished(of: connection)
        // What comes later, the poller tells of.
        if isEmptied { return }
      }
    }
    readSoon(connection)
  }

  /// Has what TLS holds already, which no poll tells of, read in the next round; in the present one, a
  /// peer that never falls silent would keep everybody else waiting.
  private func readSoon(_ connection: Connection) {
    guard connection.stream?.hasPending == true, !isStopped else { return }
    if unread.isEmpty { lws_cancel_service(context) }
    unread.append(connection)
  }

  /// Reads what TLS has held since the last round.
  func readPending() {
    let due = unread
    unread = []
    for connection in due { read(connection) }
  }

  private func take(
    _ event: FrameParser.Event,
    on connection: Connection,
    _ stream: FrameStream
  ) {
    guard connection.isOpen else { return }
    switch event {
    case .message(let message):
      // Once either side closes, what still comes in is nobody's.
      guard connection.wantedClose == nil, connection.knownClose == nil else { return }
      handler?.received(message, on: connection.id)
    case .ping(let payload):
      guard stream.ending == nil else { return }
      stream.push(control: .pong, payload)
      stream.adjustReading()
      requestFlush(of: connection)
    case .pong:
      break
    case .close(let event):
      if stream.ending != nil { return hangUp(connection, stream, lingers: false) }
      connection.knownClose = event
      setDeadline(of: connection, after: configuration.closeTimeout)
      requestFlush(of: connection)
    case .violation(let code, let reason):
      if stream.ending != nil { return hangUp(connection, stream, lingers: true) }
      close(connection.id, code: code, reason: reason.isEmpty ? nil : reason)
    }
  }

  /// Reads nothing more from a connection for now, so that its sender has to wait.
  ///
  /// A few messages that are underway already may still arrive.
  package func pause(_ id: ConnectionID) {
    guard let stream = connections[id]?.stream, !stream.isPaused else { return }
    stream.isPaused = true
    stream.adjustReading()
  }

  /// Reads on from a connection that was paused.
  package func resume(_ id: ConnectionID) {
    guard let connection = connections[id], let stream = connection.stream, stream.isPaused else {
      return
    }
    stream.isPaused = false
    // It could not be heard meanwhile.
    heard(connection)
    if stream.adjustReading() { readSoon(connection) }
  }

  // MARK: Limits

  /// Sets how much may come in on a connection, from its next frame on.
  package func limit(_ id: ConnectionID, to limits: ReceiveLimits) {
    guard let connection = connections[id] else { return }
    connection.stream?.limitMessages(to: limits.messageBytes)
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
    guard let sender = connection.sender, connection.isOpen, let stream = connection.stream else {
      return
    }
    let bytes = stream.unfinishedBytes
    guard bytes != connection.countedBytes else { return }
    unfinished.replace(connection.countedBytes, by: bytes, of: sender.name)
    connection.countedBytes = bytes
    guard bytes > 0, unfinished.sum(of: sender.name) > sender.unfinishedBytes else { return }
    stream.stopReading()
    unfinished.replace(bytes, by: 0, of: sender.name)
    connection.countedBytes = 0
    close(connection.id, code: .tryAgainLater, reason: "too many unfinished messages")
  }

  // MARK: The end

  /// Everything that waited has left: goes on with the end of a connection, if there is one.
  private func goOnEnding(_ connection: Connection, _ stream: FrameStream) {
    switch stream.ending {
    case nil:
      if let close = connection.knownClose ?? connection.wantedClose {
        sendClose(connection, stream, close)
      }
    case .leaving(let lingers):
      stream.finish()
      if !lingers { kill(connection) }
    case .answerAwaited, .lingering:
      break
    }
  }

  private func sendClose(
    _ connection: Connection,
    _ stream: FrameStream,
    _ event: CloseEvent
  ) {
    var payload: [UInt8] = []
    if event.code != .noStatus {
      payload = [UInt8(event.code.rawValue >> 8), UInt8(event.code.rawValue & 0xFF)]
      // A close of the other side is answered by its code.
      if event.initiator == .local { payload += event.reason.utf8.prefix(123) }
    }
    stream.push(control: .close, payload)
    let isAnswer = connection.knownClose != nil
    if connection.knownClose == nil { connection.knownClose = event }
    stream.ending = isAnswer || stream.isDeaf ? .leaving(lingers: !isAnswer) : .answerAwaited
    setDeadline(of: connection, after: configuration.closeTimeout)
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
