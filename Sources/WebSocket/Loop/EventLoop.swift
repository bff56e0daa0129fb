import CWebSockets
import PalettePlatform

/// One thread that serves any number of listeners and connections.
///
/// Everything here happens on that thread: libwebsockets is single-threaded, and so is the handler.
/// Other threads reach it through `LoopThread`. Names of connections are never reused, so calling
/// with the name of a closed one is harmless.
package final class EventLoop {
  let configuration: LoopConfiguration
  let inbox: Inbox
  let resolver = NameResolver()
  let worker = BackgroundWorker()
  /// What happens with the results of work that is being done beside the loop.
  var works: [UInt64: (Any) -> Void] = [:]
  var lastWork: UInt64 = 0
  let upgradeCheck: UpgradeCheck
  /// The handler; set before the first event.
  var handler: (any LoopHandler)?

  private let protocols: ProtocolTable
  /// The same for those who connect to this node.
  let servedProtocols: ProtocolTable
  /// All zero: this library keeps its own time for pings.
  private let retryPolicy: UnsafeMutablePointer<lws_retry_bo_t>
  private let timer: UnsafeMutablePointer<clws_timer>
  private var contextIfAny: OpaquePointer?

  var connections: [ConnectionID: Connection] = [:]
  var listeners: [ListenerID: Listener] = [:]
  var clientHosts: [ServerTrust: OpaquePointer] = [:]
  /// Where clients without TLS are served.
  private(set) var plainHost: OpaquePointer?
  var strings: [UnsafeMutablePointer<CChar>] = []
  private var lastConnection: UInt64 = 0
  var lastHost = 0
  /// What OpenSSL keeps of the certificate for which a host was made last.
  var madeSecurity: OpaquePointer?
  /// A descriptor to give up when there are no more, so that a client can be turned away.
  var reserve: Int32

  /// The connections whose owner is not known yet.
  var unauthenticated = UnauthenticatedConnections()
  /// How many of them were sent away.
  var refusedConnections = 0
  /// How many descriptors the process may use.
  let descriptorLimit: Int

  /// The sockets of open WebSockets, which libwebsockets has given up.
  let poller = Poller()

  var unfinished = UnfinishedBytes()
  var timers = TimerQueue()
  /// The connections on which something waits to be written when the present round is over.
  var flushes: [Connection] = []
  /// The connections whose sockets are hidden from libwebsockets since the last round.
  var hidden: [Connection] = []
  /// The connections of which TLS holds bytes that are read in the next round.
  var unread: [Connection] = []
  /// A file that never says anything.
  let silence = clws_poller()
  /// What libwebsockets has forgotten last.
  var forgotten: OpaquePointer?
  /// Events that happened inside libwebsockets and are told once it is left.
  private var deferred: [() -> Void] = []
  /// Where frames are put together on their way out, and read on their way in.
  let scratch: UnsafeMutablePointer<UInt8>
  var keptAlive = KeepAlive()
  /// What is watched for others.
  var watches: [DescriptorWatch] = []
  /// Whether the loop accepts nothing new and ends when the last connection is gone.
  package internal(set) var isShuttingDown = false
  private(set) var isStopped = false
  /// Counts how often libwebsockets was served.
  private(set) var round: UInt64 = 1

  init(configuration: LoopConfiguration, inbox: Inbox) throws(WebSocketError) {
    self.configuration = configuration
    self.inbox = inbox
    descriptorLimit = configuration.descriptorLimit ?? Self.systemDescriptorLimit
    upgradeCheck = UpgradeCheck(routes: configuration.routes)
    var subprotocols: [String] = []
    for name in configuration.routes.flatMap(\.subprotocols) where !subprotocols.contains(name) {
      subprotocols.append(name)
    }
    protocols = ProtocolTable(subprotocols: subprotocols, callback: serviceCallback)
    servedProtocols = ProtocolTable(
      subprotocols: subprotocols,
      readSize: ProtocolTable.servedReadSize,
      callback: serviceCallback
    )
    retryPolicy = .allocate(capacity: 1)
    retryPolicy.initialize(to: lws_retry_bo_t())
    timer = .allocate(capacity: 1)
    timer.initialize(to: clws_timer())
    scratch = .allocate(capacity: Int(CLWS_PRE) + OutgoingFrames.pieceSize)
    reserve = PalettePlatform.open("/dev/null", O_RDONLY | O_CLOEXEC)

    timer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    LibraryLog.prepare()
    var info = makeInfo()
    info.options |= UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
    if !configuration.usesTLS || TLSLibrary.isPrepared { contextIfAny = lws_create_context(&info) }
    guard contextIfAny != nil else {
      throw WebSocketError(.loopUnavailable, "libwebsockets cannot start")
    }
    // The first: libwebsockets moves whoever connects to it, since no host of ours has a port.
    plainHost = addHost { info in info.protocols = UnsafePointer(servedProtocols.entries) }
    clientHosts[.plain] = addHost { _ in }
    guard plainHost != nil, clientHosts[.plain] != nil, adoptPoller() else {
      destroy()
      throw WebSocketError(.loopUnavailable, "libwebsockets cannot serve")
    }
    inbox.open(Waker(context))
  }

  deinit {
    retryPolicy.deallocate()
    timer.deallocate()
    scratch.deallocate()
    for string in strings { free(string) }
    if reserve >= 0 { PalettePlatform.close(reserve) }
    if silence >= 0 { PalettePlatform.close(silence) }
  }

  /// The context; it exists from the end of `init` to the end of `run`.
  var context: OpaquePointer {
    guard let contextIfAny else { preconditionFailure("the loop has ended") }
    return contextIfAny
  }

  /// Serves until the shutdown is complete.
  func run() {
    while !isStopped {
      round &+= 1
      if lws_service(context, 0) < 0 { break }
      finishTakingOver()
      readPending()
      settle()
    }
    for command in inbox.close() { command(self) }
    destroy()
  }

  /// Ends `run` after the present round.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    lws_cancel_service(context)
  }

  /// Destroys the context; what is still connected ends now.
  func destroy() {
    _ = inbox.close()
    isShuttingDown = true
    isStopped = true
    for connection in Array(connections.values) where connection.socket == nil {
      connection.stream?.detach()
      end(connection)
    }
    if let context = contextIfAny {
      timers = TimerQueue()
      armTimer()
      lws_context_destroy(context)
      contextIfAny = nil
    }
    for listener in listeners.values { listener.listening.removeFile() }
    listeners = [:]
    runDeferred()
    connections = [:]
    handler = nil
  }

  /// Runs an action once libwebsockets is left.
  func later(_ action: @escaping () -> Void) {
    deferred.append(action)
    // Timers run just before the wait, which would hold the action up.
    if deferred.count == 1, !isStopped { lws_cancel_service(context) }
  }

  /// Does what the present round has left to be done.
  private func settle() {
    while !deferred.isEmpty || !flushes.isEmpty {
      runDeferred()
      flushAll()
    }
  }

  private func runDeferred() {
    while !deferred.isEmpty {
      let events = deferred
      deferred = []
      for event in events { event() }
    }
  }

  private static var systemDescriptorLimit: Int {
    Platform.openFileLimit.map { Int(clamping: $0.rlim_cur) } ?? 1024
  }

  /// The connections of any kind and stage that exist.
  package var connectionCount: Int { connections.count }

  /// The WebSockets that are open, in either role, in no particular order.
  package var openConnections: [ConnectionID] {
    connections.values.filter(\.isOpen).map(\.id)
  }

  func makeConnectionID() -> ConnectionID {
    lastConnection += 1
    return ConnectionID(rawValue: lastConnection)
  }

  /// The settings that the context and every virtual host share.
  func makeInfo() -> lws_context_creation_info {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols.entries)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.gid = -1
    info.uid = -1
    info.retry_and_idle_policy = UnsafePointer(retryPolicy)
    info.pt_serv_buf_size = UInt32(ProtocolTable.writeSize)
    info.max_http_header_data = 8192
    info.timeout_secs = 30
    info.connect_timeout_secs = 30
    info.keepalive_timeout = 60
    info.alpn = permanent("http/1.1")
    // Without an address, libwebsockets would obey the variable `http_proxy`, even on loopback.
    info.http_proxy_address = permanent("-:0")
    info.options = UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
    return info
  }

  /// Adds a virtual host: one for everything plain, one for each certificate and each trust.
  func addHost(_ adjust: (inout lws_context_creation_info) -> Void) -> OpaquePointer? {
    var info = makeInfo()
    if configuration.usesTLS { info.options |= TLSLibrary.flag }
    lastHost += 1
    info.vhost_name = permanent("(\(lastHost))")
    adjust(&info)
    return lws_create_vhost(context, &info)
  }

  /// A copy of a text that lives as long as the loop: libwebsockets keeps pointers to its settings.
  func permanent(_ text: String) -> UnsafePointer<CChar>? {
    let copy = strdup(text)
    if let copy { strings.append(copy) }
    return UnsafePointer(copy)
  }

  /// Asks libwebsockets to come back when the earliest timer is due.
  func armTimer() {
    // The handler may still schedule something when it hears that the loop has ended.
    guard let context = contextIfAny else { return }
    guard let due = timers.nextDue() else {
      lws_sul_cancel(&timer.pointee.list)
      return
    }
    lws_sul_schedule(context, 0, &timer.pointee.list, timerCallback, max(due - now, 1))
  }
}

/// The time on the clock of libwebsockets, in microseconds.
var now: Int64 { lws_now_usecs() }

private func timerCallback(_ timer: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
  timer?.withMemoryRebound(to: clws_timer.self, capacity: 1) { timer in
    guard let owner = timer.pointee.owner else { return }
    Unmanaged<EventLoop>.fromOpaque(owner).takeUnretainedValue().runTimers()
  }
}
