internal import PaletteCommands
internal import PaletteJSON
internal import PaletteModel
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// The room of one library: what a process has of it in memory while it is open.
///
/// It hands what happens to its parts, each of which keeps its own state: `Clients` knows who is connected
/// and what they may do, `Turns` has calls carried out by `Calls`, `Watching`, `PresenceNews` and `PeerNews`
/// tell those who watch, `Pages` answers HTTP, `SyncShell` talks to peers, `LinkShell` follows linked files,
/// and `HostProgram` is for the program that the node runs in.
///
/// It has no timer of its own: the process calls `beat` as long as `needsBeat` says so.
final class Room {
  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let settings: NodeSettings
  private let metrics: NodeMetrics
  private let refusals: Refusals
  private let clients: Clients
  private let sync: SyncShell
  /// Nil where files are not followed.
  private let links: LinkShell?
  private let watching: Watching
  /// The news of who looks at which palette.
  let presence: PresenceNews
  private let peers: PeerNews
  private let disk: DiskCare
  private let commits: CommitReport
  private let history: HistoryQuestions
  private let turns: Turns
  private let pages: Pages
  private let host: HostProgram

  /// Opens the room of a library whose store is open.
  ///
  /// - Parameters:
  ///   - library: The library, with its store.
  ///   - loop: The loop that carries its connections.
  ///   - settings: The settings with which it is served.
  ///   - endpoints: The addresses at which it is served.
  ///   - tickets: The one-time links to its page.
  ///   - metrics: Its counters.
  ///   - refusals: Counts refusals of the process.
  ///   - connect: Begins to connect to a peer, for this room.
  /// - Throws: `StoreError` when the library cannot be read.
  init(
    of library: OpenLibrary,
    on loop: EventLoop,
    settings: NodeSettings,
    endpoints: NodeEndpoints,
    tickets: PageTickets,
    metrics: NodeMetrics,
    refusals: Refusals,
    connect: @escaping (ConnectRequest, Room) -> ConnectionID
  ) throws {
    self.loop = loop
    self.library = library
    self.settings = settings
    self.metrics = metrics
    self.refusals = refusals
    let (store, log) = (library.store, settings.log)
    try store.deferCheckpoints()
    clients = Clients(loop, store, settings, endpoints, metrics)
    sync = SyncShell(
      loop,
      core: try NodeCore(
        store,
        name: { [library] in library.ownName },
        random: SystemRandomNumberGenerator(),
        time: LoopTime { Platform.uptimeMicroseconds }
      ),
      joinAddresses: endpoints.joinAddresses,
      keyPin: endpoints.keyPin,
      log: log
    )
    links = settings.linksFiles ? LinkShell(loop, store: store, log: log) : nil
    watching = Watching(loop, library, metrics, log)
    presence = PresenceNews(loop, library, sync.core, watching)
    peers = PeerNews(loop, sync, watching, readsAll: clients.readsAll, log: log)
    disk = DiskCare(loop, store, onSpace: sync.setSpace)
    host = HostProgram(loop, library)
    let listeners: [(any CommitListener)?] = [disk, links, host]
    commits = CommitReport(
      store,
      sync,
      metrics,
      watching,
      listeners.compactMap(\.self),
      log: log
    )
    let calls = Calls(
      library,
      sync.core,
      watching,
      presence,
      metrics,
      tell: { [unowned loop, clients] notice, id in
        clients.send(notice, to: id)
        loop.flush(id)
      },
      log: log
    )
    history = HistoryQuestions(library, sync, calls)
    let slowWork = SlowWork(loop, sync.core.time)
    let slow = SlowCalls(loop, library, clients, calls, slowWork)
    turns = Turns(loop, store, sync, clients, calls, slow, history, watching, metrics, commits)
    pages = Pages(
      library,
      endpoints,
      tickets,
      clients,
      MetricsPage(loop, library, endpoints, metrics, refusals, clients, sync, watching),
      PaletteFiles(loop, store: store, slowWork),
      onRefusal: { [refusals] request, reason in
        refusals.refuse(401, reason, address: request.peer.address)
      },
      log: log
    )

    calls.onRevoked = { [unowned self] in
      checkRights()
      host.standingChanged()
    }
    presence.onChange = { [unowned self] in host.standingChanged() }
    calls.onCompacted = { [disk] in disk.giveBackSpace() }
    links?.onCommit = { [unowned self] in commits.reportOutsideTurn() }
    watching.onWatch = { [unowned self] in peers.tell() }
    watching.visitorOf = { [unowned presence] in presence.visitor($0, at: $1) }
    sync.start(
      SyncShell.Callbacks(
        connect: { [unowned self] in connect($0, self) },
        onSend: { [metrics] in metrics.sent($0) },
        wantsFlush: { [unowned self] in turns.schedule() },
        onCommit: { [unowned self] in commits.reportOutsideTurn() },
        onPresence: { [unowned self] in presence.schedule() },
        onPeers: { [unowned self] in
          peers.schedule()
          host.standingChanged()
        },
        onHistory: { [unowned self] in turns.answerAboutHistory() },
        addressOf: { [unowned self] in clients.address(of: $0) },
        onMember: { [unowned self] in
          clients.name($0, $1)
          host.standingChanged()
        },
        fieldsOf: { [unowned self] in clients.fields(of: $0) },
        makePageLink: {
          guard !endpoints.url.isEmpty, settings.page != nil else { return nil }
          let code = tickets.makeCode(atMilliseconds: store.nowMilliseconds)
          return "\(endpoints.pageURL)/#\(code)"
        },
        connections: { [unowned self] in clients.connectionsOfMembers }
      )
    )
    library.sharing = sync
    library.linking = links
    store.nameOfOwner = { [name = library.name] in name.text }
    store.keepState()
    sync.core.quotaBytes = settings.quotaBytes
    sync.core.connectionsOfMember = settings.connectionsOfMember
  }

  /// Begins to follow linked files.
  func resumeLinks() { links?.resume() }

  /// Limits the memory that the room keeps for speed.
  func limit(to memory: RoomMemory) {
    do {
      try library.store.limit(to: memory.store)
    } catch {
      settings.log(NodeLog(.error, .storage, "the memory of a library is not limited: \(error)"))
    }
    pages.limit(toBytes: memory.fileBytes)
  }

  /// Writes what is not written yet; nobody is connected then.
  func close() { sync.handle(.draining) }

  // MARK: Connections

  /// Decides about a client that wants to use the API.
  func admit(_ request: UpgradeRequest) -> UpgradeDecision {
    guard let refusal = clients.refusal(of: request) else { return .accept }
    refusals.refuse(refusal.status, refusal.reason, address: request.peer.address)
    let fields = refusal.status == 401 ? [HTTPField("www-authenticate", "Bearer")] : []
    return .reject(status: refusal.status, headers: fields)
  }

  /// Answers a request for a path of a library; nil where the answer comes later.
  func respond(to request: HTTPRequest) -> HTTPResponse? { pages.respond(to: request) }

  /// A connection of a client, or with a peer, is open.
  func connected(_ connection: ConnectionInfo, isPeer: Bool) {
    clients.add(connection)
    host.standingChanged()
    if isPeer {
      let dialed = settings.dialedEndpoint
      sync.connected(connection.id, at: connection.endpoint, dialedAs: dialed)
    }
    settings.log(
      NodeLog(
        .debug,
        .connect,
        "connected at \(connection.path)",
        [("address", JSON(connection.peer.address)), ("connection", "\(connection.id)")]
      )
    )
  }

  /// A message of a client, or of a peer, has arrived.
  func received(_ message: Message, on id: ConnectionID, isPeer: Bool) {
    metrics.received(message.bytes.count)
    if isPeer { return sync.received(message, on: id) }
    switch clients[id] {
    case .rpc(let token): turns.receive(message, on: id, token: token)
    case .page: open(message, on: id)
    case .echo: clients.send(message.bytes, as: message.kind, to: id)
    case nil: break
    }
    watching.tellAll()
  }

  /// Takes the first message of a page, which has to show the second half of its session.
  private func open(_ message: Message, on id: ConnectionID) {
    let entry = RPCRequest(parsing: message.bytes).entries.first
    guard case .call(let call)? = entry, call.method == NodeRoute.session,
      let half = call.parameters["half"]?.stringValue, clients.open(id, half: half)
    else {
      refusals.refuse(
        401,
        "refused a page without its session",
        address: clients.address(of: id) ?? ""
      )
      return loop.close(
        id,
        code: Clients.notValid,
        reason: "open the page by a new link: 'hued open'"
      )
    }
    clients.send(RPCResponder.response(to: call.id ?? .null, .success(Array("{}".utf8))), to: id)
  }

  /// A connection with a peer takes more.
  func drained(_ id: ConnectionID) { sync.drained(id) }

  /// A connection with a peer could not be made.
  func failed(_ id: ConnectionID, _ failure: ConnectFailure) { sync.failed(id, failure) }

  /// A connection of a client, or with a peer, has ended.
  func closed(_ id: ConnectionID, _ event: CloseEvent, isPeer: Bool) {
    defer { host.standingChanged() }
    let origin = clients.removeOrigin(of: id)
    let fields = [(key: "connection", value: JSON("\(id)"))] + origin.fields
    if event.initiator == .local {
      refusals.ended(isPeer ? "a peer" : "a client", event, address: origin.address, fields)
    }
    if isPeer { return sync.closed(id, event) }
    guard clients.remove(id) else { return }
    forget(id)
    settings.log(
      NodeLog(
        .debug,
        .disconnect,
        "disconnected",
        fields + [("code", "\(event.code)")]
      )
    )
  }

  /// Forgets what a client wanted, and that it is there.
  private func forget(_ id: ConnectionID) {
    watching.remove(id)
    turns.remove(id)
    presence.remove(id)
  }

  // MARK: Time

  /// True if anything may become due by itself: somebody is connected, or a peer is to be reached, or what
  /// they said waits to be written.
  var needsBeat: Bool { !clients.isEmpty || sync.isConnected || sync.core.needsTicks }

  /// Does what is due by now.
  ///
  /// - Parameter isSecond: Whether to look at the disk and at rights that end, too.
  func beat(isSecond: Bool) {
    if isSecond {
      disk.checkSpace()
      if clients.mayHaveChanged { checkRights() }
    }
    sync.handle(.tick)
  }

  /// This machine has other addresses or routes than before.
  func networkChanged() { sync.handle(.networkChanged) }

  /// True if nobody is connected or waits, and nothing goes on: closing it would be noticed by nobody.
  var isIdle: Bool {
    clients.isEmpty && !sync.isConnected && sync.core.peers.isEmpty && links?.isEmpty ?? true
      && turns.isIdle && pages.isIdle && !host.isUsed
  }

  /// Disconnects everyone whose rights are other ones than when it came.
  private func checkRights() {
    for id in clients.removeChanged() { forget(id) }
  }

  // MARK: This process

  /// Reports the commits of a job that the embedding program ran on the log.
  func logHasWorked() { commits.reportOutsideTurn() }

  /// The room's face to the program that embeds it.
  var program: HostProgram { host }

  /// Answers a request of this process.
  func answer(_ request: Request) throws(APIError) -> any Answer {
    defer {
      commits.reportOutsideTurn()
      host.standingChanged()
    }
    return try library.answer(request)
  }

  /// Asks a peer for what is missing in a palette's past; `then` is called when it has come, or will not.
  func fetchHistory(of palette: String, then: @escaping () -> Void) {
    history.fetch(of: palette, then: then)
  }
}

extension LinkShell: CommitListener {
  func committed(_ batch: [CommittedChanges]) {
    for changes in batch { paletteChanged(changes.palette) }
  }
}
