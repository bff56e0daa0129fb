import CWebSockets

/// One thread that serves any number of listeners and connections.
///
/// Everything here happens on that thread: libwebsockets is single-threaded, and so is the handler.
/// Other threads reach it through `LoopThread`. Names of connections are never reused, so calling
/// with the name of a closed one is harmless.
///
/// The loop hands what happens to its parts, each of which keeps its own state: `ServiceContext` holds
/// libwebsockets, `Schedule` what is done later, `Connections` what is connected, `Acceptor` the
/// listeners, `HeadCheck` whoever has not sent a whole head, `Dialer` the way to servers, `HTTPService` requests, and `WebSocketService` messages.
package final class EventLoop {
  private let inbox: Inbox<EventLoop>
  private let library: ServiceContext
  private let schedule: Schedule
  private let shutdown: ShutdownState
  private let connections: Connections
  private let heads: HeadCheck
  private let acceptor: Acceptor
  private let webSockets: WebSocketService
  private let http: HTTPService
  private let dialer: Dialer
  private let work: BackgroundWork
  /// The descriptors watched for others.
  private var watches: [DescriptorWatch] = []

  init(configuration: LoopConfiguration, inbox: Inbox<EventLoop>) throws(WebSocketError) {
    self.inbox = inbox
    library = ServiceContext(configuration)
    schedule = Schedule(library)
    shutdown = ShutdownState(library)
    connections = Connections(configuration, schedule, shutdown)
    heads = HeadCheck(configuration, library, schedule, connections)
    acceptor = Acceptor(configuration, library, shutdown, connections, heads)
    webSockets = WebSocketService(configuration, library, schedule, shutdown, connections)
    http = HTTPService(configuration, shutdown, connections, webSockets)
    dialer = Dialer(library, schedule, shutdown, connections, webSockets) { id, result in
      _ = inbox.push(isUrgent: true) { loop in loop.dialer.goOn(id, with: result) }
    }
    work = BackgroundWork { number, result in
      _ = inbox.push(isUrgent: true) { loop in loop.work.finish(number, result) }
    }
    do throws(WebSocketError) {
      try library.open(
        calling: ServiceCallbacks(
          handle: { [unowned self] reason, socket, user, bytes in
            handle(reason, on: socket, user: user, bytes)
          },
          runTimers: { [unowned self] in runTimers() }
        )
      )
      guard webSockets.open(), heads.open(), let waker = library.waker else {
        throw WebSocketError(.loopUnavailable, "libwebsockets cannot serve")
      }
      inbox.open(waker)
    } catch {
      destroy()
      throw error
    }
  }

  /// The handler; set before the first event.
  var handler: (any LoopHandler)? {
    get { connections.handler }
    set { connections.handler = newValue }
  }

  // MARK: Running

  /// Serves until the shutdown is complete.
  func run() {
    while !shutdown.isStopped {
      webSockets.beginRound()
      guard library.serve() else { break }
      webSockets.endRound()
      settle()
    }
    for command in inbox.close() { command(self) }
    destroy()
  }

  /// Ends `run` after the present round.
  func stop() { shutdown.stop() }

  /// Destroys the context; what is still connected ends now.
  func destroy() {
    _ = inbox.close()
    shutdown.begin()
    shutdown.stop()
    for connection in connections.all where connection.socket == nil {
      connection.webSocket?.stream.detach()
      connections.end(connection)
    }
    schedule.cancelAll()
    library.destroy()
    acceptor.forgetListeners()
    schedule.runDeferred()
    connections.removeAll()
  }

  /// Does what the present round has left to be done.
  private func settle() {
    while schedule.hasDeferred || connections.needFlush {
      schedule.runDeferred()
      webSockets.flushAll()
    }
  }

  /// Runs the timers that are due.
  func runTimers() {
    schedule.runDue()
    // Timers run just before the wait, which would hold up what they sent.
    webSockets.flushAll()
    schedule.arm()
  }

  /// Distributes the callbacks; zero lets libwebsockets go on, anything else ends the connection.
  func handle(
    _ reason: lws_callback_reasons,
    on socket: OpaquePointer,
    user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE,
      LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      withConnection(socket) { refuseEarly($0) }
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      runCommands()
    case LWS_CALLBACK_RAW_RX_FILE:
      readFile(socket)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      withConnection(socket) { http.confirmUpgrade($0, socket) }
    case LWS_CALLBACK_HTTP:
      withConnection(socket) { http.beginResponse($0, socket) }
    case LWS_CALLBACK_HTTP_WRITEABLE:
      withConnection(socket) { http.continueResponse($0, socket) }
    case LWS_CALLBACK_ESTABLISHED:
      withConnection(socket) { http.establish($0, socket) }
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
      library.prepareServerSecurity(user)
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
      library.prepareClientSecurity(user)
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_RX:
      // libwebsockets takes CONNECT for a change to a protocol without any frames.
      -1
    case LWS_CALLBACK_WSI_DESTROY:
      detach(socket)
    default:
      dialer.handle(reason, on: socket, bytes)
    }
  }

  private func withConnection(_ socket: OpaquePointer, _ body: (Connection) -> Int32) -> Int32 {
    // Only listeners and connections are attached, and a listener gets none of these callbacks.
    guard let attachment = Attachment.of(socket) else { return -1 }
    return body(unsafeDowncast(attachment, to: Connection.self))
  }

  /// Something came before there was anybody to read it: what libwebsockets makes of that is not
  /// to be relied on, as it may have written over what came early.
  private func refuseEarly(_ connection: Connection) -> Int32 {
    connections.close(connection, code: .protocolError, discarding: true)
    return 0
  }

  /// Something that is no connection can be read.
  private func readFile(_ socket: OpaquePointer) -> Int32 {
    let attachment = Attachment.of(socket)
    if webSockets.serve(attachment) || heads.serve(attachment) { return 0 }
    if let watch = attachment as? DescriptorWatch { watch.action() }
    if let listener = attachment as? Listener { acceptor.acceptClients(of: listener) }
    return 0
  }

  private func runCommands() -> Int32 {
    for command in inbox.removeAll() { command(self) }
    return 0
  }

  /// libwebsockets has forgotten a socket, so may we.
  private func detach(_ socket: OpaquePointer) -> Int32 {
    webSockets.forget(socket)
    guard let attachment = Attachment.of(socket) else { return 0 }
    lws_set_opaque_user_data(socket, nil)
    // A socket that dies while it is being made is the business of whoever makes it.
    guard attachment.socket == socket else { return 0 }
    if let connection = attachment as? Connection {
      connections.loseSocket(of: connection)
    } else {
      attachment.socket = nil
    }
    return 0
  }

  // MARK: Results from other threads

  // MARK: Listeners and servers

  /// Opens a listener.
  ///
  /// - Throws: `addressUnavailable` or `badCertificate`, with the reason.
  @discardableResult
  package func listen(_ configuration: ListenerConfiguration) throws(WebSocketError) -> ListenerInfo
  {
    try acceptor.listen(configuration)
  }

  /// Reads the certificate of a listener again, for everyone who connects from now on.
  ///
  /// - Throws: `badCertificate`; then the one before stays in use.
  package func reloadCertificate(of id: ListenerID) throws(WebSocketError) {
    try acceptor.reloadCertificate(of: id)
  }

  /// The end of the certificate that a listener's new clients get, in seconds since 1970; nil if
  /// there is none.
  package func certificateEnd(of id: ListenerID) -> Int? { acceptor.certificateEnd(of: id) }

  /// Begins to connect; `connected` or `failed` follows, never before this returns.
  package func connect(_ request: ConnectRequest) -> ConnectionID { dialer.connect(request) }

  // MARK: Connections

  /// Lets those requests through whose targets are not being fetched any more.
  package func passFetched() { heads.passFetched() }

  /// The connections of any kind and stage that exist.
  package var connectionCount: Int { connections.count }

  /// The WebSockets that are open, in either role, in no particular order.
  package var openConnections: [ConnectionID] {
    connections.all.filter { $0.webSocket != nil }.map(\.id)
  }

  /// Queues a message on a connection.
  @discardableResult
  package func send(
    _ bytes: some Collection<UInt8>,
    as kind: Message.Kind,
    to id: ConnectionID
  ) -> SendResult {
    guard connections[id] != nil else { return .closed }
    return webSockets.push(MessageFrame(bytes, kind: kind), to: id)
  }

  /// Queues messages that other connections may have too, up to the first for which there is no room.
  package func send(_ messages: OutgoingMessages, to id: ConnectionID) -> SendResult {
    webSockets.push(messages.frames, to: id)
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
    let frame = MessageFrame(bytes, kind: kind)
    var failures: [ConnectionID: SendResult] = [:]
    for id in ids {
      let result = webSockets.push(frame, to: id)
      if result != .queued { failures[id] = result }
    }
    return failures
  }

  /// Writes what waits on a connection now, for whoever will keep this thread busy.
  package func flush(_ id: ConnectionID) { webSockets.flush(id) }

  /// The bytes that wait to be sent on a connection.
  package func queuedBytes(of id: ConnectionID) -> Int {
    connections.webSocket(id)?.stream.queuedBytes ?? 0
  }

  /// Returns whether so much waits on a connection that its sender should pause; `drained` follows
  /// then.
  package func isCongested(_ id: ConnectionID) -> Bool {
    connections.webSocket(id)?.stream.isCongested ?? false
  }

  /// Reads nothing more from a connection for now, so that its sender has to wait.
  ///
  /// A few messages that are underway already may still arrive.
  package func pause(_ id: ConnectionID) { webSockets.pause(id) }

  /// Reads on from a connection that was paused.
  package func resume(_ id: ConnectionID) { webSockets.resume(id) }

  /// Sets how much may come in on a connection, from its next frame on.
  package func limit(_ id: ConnectionID, to limits: ReceiveLimits) {
    webSockets.limit(id, to: limits)
  }

  /// Tells a connection on a route that greets that the greeting was good: the deadline is lifted.
  package func keep(_ id: ConnectionID) { webSockets.keep(id) }

  /// Asks a connection at once whether it is still there, and ends it when no answer comes in time.
  package func doubt(_ id: ConnectionID, within patience: Duration) {
    webSockets.doubt(id, within: patience)
  }

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
    guard let connection = connections[id] else { return }
    connections.close(connection, code: code, reason: reason, discarding: discarding)
  }

  /// Ends a connection without a word.
  func kill(_ id: ConnectionID) {
    if let connection = connections[id] { connections.kill(connection) }
  }

  /// Answers a request to which the handler had no answer at once.
  package func answer(_ id: ConnectionID, with response: HTTPResponse) {
    if let connection = connections[id] { http.answer(connection, response) }
  }

  // MARK: What else the loop does

  /// Runs an action on this loop's thread after a while; the loop's own clock counts, so a paused
  /// or jumping wall clock changes nothing.
  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
    schedule.run(after: delay, action)
  }

  /// Forgets an action that has not run yet.
  package func cancel(_ timer: TimerID) { schedule.cancel(timer) }

  /// Calls an action whenever a descriptor can be read, which the action has to do, until the loop
  /// ends; then the loop closes it.
  ///
  /// - Returns: Whether it is watched; if not, it stays the caller's.
  package func watch(_ descriptor: Int32, _ action: @escaping () -> Void) -> Bool {
    guard !shutdown.hasBegun else { return false }
    let watch = DescriptorWatch(action)
    guard library.adoptFile(descriptor, for: watch) else { return false }
    watches.append(watch)
    return true
  }

  /// Runs long work on another thread, one piece at a time, in the order of the calls.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes the work holds on to until it is done.
  ///   - isSlow: Whether it may take seconds: such work has a thread of its own, so that nothing else
  ///     waits for it.
  ///   - work: The work; it may touch nothing of the loop.
  ///   - then: Gets its result, on the loop's thread; never called when the loop ends before.
  /// - Returns: Whether it will be done: so many bytes and so much work can wait, and no more.
  package func perform<Result: Sendable>(
    holding bytes: Int,
    isSlow: Bool = false,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool {
    self.work.perform(holding: bytes, isSlow: isSlow, work, then: then)
  }

  /// The number of actions that wait for their time.
  var timerCount: Int { schedule.count }

  /// The bytes of a sender's unfinished messages.
  func unfinishedBytes(of sender: String) -> Int { webSockets.unfinishedBytes(of: sender) }

  // MARK: The end

  /// Closes everything with a code, and ends the loop when all is closed or the time is up.
  func shutDown(code: CloseCode, reason: String, within limit: Duration) {
    guard !shutdown.hasBegun else { return }
    shutdown.begin()
    acceptor.closeListeners()
    for connection in connections.all {
      // A response that is on its way may finish; its connection then ends by itself.
      if case .responding = connection.stage { continue }
      connections.close(connection, code: code, reason: reason)
    }
    schedule.run(after: limit) { [unowned self] in stop() }
    connections.stopIfFinished()
  }
}
