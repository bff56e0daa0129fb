import CWebSockets
import Glibc

extension EventLoop {
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
    connections[id]?.queue.byteCount ?? 0
  }

  /// Whether so much waits on a connection that its sender should pause; `drained` follows then.
  package func isCongested(_ id: ConnectionID) -> Bool {
    connections[id]?.owesDrained ?? false
  }

  /// Reads nothing more from a connection for now, so that its sender has to wait.
  ///
  /// A few messages that are underway already may still arrive.
  package func pause(_ id: ConnectionID) {
    guard let connection = connections[id], !connection.isPaused, let socket = connection.socket
    else { return }
    connection.isPaused = true
    if connection.parser == nil {
      lws_rx_flow_control(socket, 0)
    } else {
      adjustReading(connection)
    }
  }

  /// Reads on from a connection that was paused.
  package func resume(_ id: ConnectionID) {
    guard let connection = connections[id], connection.isPaused, let socket = connection.socket
    else { return }
    connection.isPaused = false
    // It could not be heard meanwhile.
    heard(connection)
    if connection.parser == nil {
      lws_rx_flow_control(socket, 1)
    } else {
      adjustReading(connection)
    }
  }

  private func push(_ frame: Frame, to connection: Connection) -> SendResult {
    guard connection.isOpen, connection.wantedClose == nil, connection.knownClose == nil,
      let socket = connection.socket
    else { return .closed }
    if isFirst(frame, on: connection, socket), leaves(frame, connection, socket) { return .queued }
    let isQueued = connection.queue.push(frame)
    if !isQueued || connection.queue.byteCount > connection.queue.byteLimit / 2 {
      connection.owesDrained = true
    }
    // A peer shall not wait for a long frame while this thread makes the next one, or reads.
    if isQueued, frame.count > Self.batchedSize, connection.parser != nil, connection.ending == nil,
      !writeFrames(connection, socket)
    {
      kill(connection)
      return .closed
    }
    lws_callback_on_writable(socket)
    return isQueued ? .queued : .full
  }

  /// Whether nothing is on its way on a connection, or left in this round, that a frame has to follow.
  private func isFirst(
    _ frame: Frame,
    on connection: Connection,
    _ socket: OpaquePointer
  ) -> Bool {
    // What follows in the same round waits, and so leaves with one call to the system.
    guard connection.sentRound != round, connection.queue.isEmpty, connection.pongs.isEmpty,
      connection.parser != nil, !connection.isClient,
      frame.count <= Self.batchedSize, frame.count <= connection.queue.byteLimit
    else { return false }
    return lws_get_ssl(socket) == nil && lws_partial_buffered(socket) == 0
  }

  /// Gives a frame to the system at once, without asking first whether it takes one: the usual case.
  ///
  /// - Returns: Whether it has left; a socket that takes nothing is left to the loop.
  private func leaves(_ frame: Frame, _ connection: Connection, _ socket: OpaquePointer) -> Bool {
    let bytes = frame.wire
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let sent = Glibc.send(lws_get_socket_fd(socket), bytes.baseAddress, bytes.count, flags)
    guard sent > 0 else { return false }
    connection.sentRound = round
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(sent))
    guard !rest.isEmpty, let start = rest.baseAddress else { return true }
    // libwebsockets keeps the rest, and sends it before anything else.
    memcpy(scratch + Int(CLWS_PRE), start, rest.count)
    let kind = Int32(LWS_WRITE_HTTP.rawValue)
    if clws_write(socket, scratch + Int(CLWS_PRE), rest.count, kind) != rest.count {
      kill(connection)
    }
    return true
  }

  /// Takes in a piece of a message.
  func receive(
    _ bytes: UnsafeRawBufferPointer,
    on connection: Connection,
    _ socket: OpaquePointer
  ) -> Int32 {
    heard(connection)
    // Once either side closes, what still comes in is nobody's.
    guard connection.isOpen, connection.wantedClose == nil, connection.knownClose == nil else {
      return 0
    }
    let kind: Message.Kind = lws_frame_is_binary(socket) != 0 ? .binary : .text
    let isLast = lws_is_final_fragment(socket) != 0
    if let violation = violation(by: bytes, isLast: isLast, kind, connection, socket) {
      close(connection.id, code: violation, discarding: true)
    } else if !isLast {
      connection.incoming.append(contentsOf: bytes)
    } else if connection.incoming.isEmpty {
      handler?.received(Message(kind: kind, bytes: Array(bytes)), on: connection.id)
    } else {
      connection.incoming.append(contentsOf: bytes)
      let whole = connection.incoming
      connection.incoming = []
      handler?.received(Message(kind: kind, bytes: whole), on: connection.id)
    }
    return 0
  }

  /// The code with which a piece of a message ends the connection.
  private func violation(
    by bytes: UnsafeRawBufferPointer,
    isLast: Bool,
    _ kind: Message.Kind,
    _ connection: Connection,
    _ socket: OpaquePointer
  ) -> CloseCode? {
    // It did not wait for the answer, which libwebsockets may have written over what came early.
    guard connection.isClient else { return .protocolError }
    let room = connection.messageLimit - connection.incoming.count - bytes.count
    guard room >= 0, lws_remaining_packet_payload(socket) <= room else { return .messageTooBig }
    guard kind == .text else { return nil }
    guard connection.text.accept(bytes), !isLast || connection.text.isComplete else {
      return .invalidPayload
    }
    return nil
  }

  /// Writes what waits, until the socket takes no more; then closes, if that is wanted.
  func write(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    if connection.ending != nil { return continueEnding(connection, socket) }
    // libwebsockets still asks while it waits for the answer to a close; an error would end that.
    guard connection.isOpen, connection.knownClose == nil || connection.parser != nil else {
      return 0
    }
    if connection.isPingDue {
      connection.isPingDue = false
      // Eight bytes: libwebsockets says nothing about an answer without any.
      memset(scratch + Int(CLWS_PRE), 0, 8)
      let flags = Int32(LWS_WRITE_PING.rawValue)
      guard clws_write(socket, scratch + Int(CLWS_PRE), 8, flags) >= 0 else { return -1 }
    }
    guard writePongs(connection, socket) else { return -1 }
    guard writeFrames(connection, socket) else { return -1 }
    if connection.queue.isEmpty, connection.pongs.isEmpty {
      if connection.parser != nil, let close = connection.knownClose ?? connection.wantedClose {
        return sendClose(connection, socket, close)
      } else if let close = connection.wantedClose {
        return closeNow(connection, socket, close)
      }
    }
    if !connection.queue.isEmpty || !connection.pongs.isEmpty { lws_callback_on_writable(socket) }
    if connection.owesDrained, connection.queue.byteCount <= connection.queue.byteLimit / 4 {
      connection.owesDrained = false
      handler?.drained(connection.id)
    }
    return 0
  }

  /// Writes frames that wait, until the socket takes no more; false when it is broken.
  private func writeFrames(_ connection: Connection, _ socket: OpaquePointer) -> Bool {
    while let frame = connection.queue.first, lws_send_pipe_choked(socket) == 0 {
      let isWritten =
        connection.queue.hasSeveral && frame.count <= Self.batchedSize && !connection.isClient
        ? writeBatch(connection, socket) : writePiece(of: frame, connection, socket)
      guard isWritten else { return false }
    }
    return true
  }

  /// The largest frame that is copied in order to leave together with others.
  private static let batchedSize = 16 * 1024

  /// Writes as many small frames as fit with one call to the system.
  ///
  /// Bytes that libwebsockets takes for HTTP leave as they are, so they may be any number of whole
  /// frames; it sends frames of its own only when nothing of ours is left half sent.
  private func writeBatch(_ connection: Connection, _ socket: OpaquePointer) -> Bool {
    let start = scratch + Int(CLWS_PRE)
    var used = 0
    while let frame = connection.queue.first, frame.count <= Self.batchedSize,
      used + Frame.headerLimit + frame.count <= ProtocolTable.writeSize
    {
      used += frame.write(to: start + used)
      connection.queue.removeFirst()
    }
    return clws_write(socket, start, used, Int32(LWS_WRITE_HTTP.rawValue)) == used
  }

  /// Writes a frame, or the next fragment of a long one.
  private func writePiece(
    of frame: Frame,
    _ connection: Connection,
    _ socket: OpaquePointer
  ) -> Bool {
    let offset = connection.queue.offset
    let count = min(frame.count - offset, ProtocolTable.writeSize)
    let isWhole = count == frame.count
    let isLast = offset + count == frame.count
    var flags: Int32
    switch (offset, frame.kind) {
    case (0, .text): flags = Int32(LWS_WRITE_TEXT.rawValue)
    case (0, .binary): flags = Int32(LWS_WRITE_BINARY.rawValue)
    default: flags = Int32(LWS_WRITE_CONTINUATION.rawValue)
    }
    if !isLast { flags |= Int32(LWS_WRITE_NO_FIN.rawValue) }
    var source = frame.payload + offset
    if connection.isClient || !isWhole {
      // A client masks in place, and the header of a fragment would overwrite what precedes it.
      memcpy(scratch + Int(CLWS_PRE), source, count)
      source = scratch + Int(CLWS_PRE)
    }
    guard clws_write(socket, source, count, flags) >= count else { return false }
    if isLast { connection.queue.removeFirst() } else { connection.queue.offset += count }
    return true
  }
}
