internal import PaletteCommands
internal import PaletteJSON
internal import PaletteModel
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// A running node, on the thread of its loop.
///
/// It hands what happens to its parts, each of which keeps its own state: `Clients` knows who is connected
/// and what they may do, `Turns` has calls carried out by `Calls`, `Watching` and `PresenceNews` tell
/// those who watch, `Pages` answers HTTP, `SyncShell` talks to peers, `LinkShell` follows linked files,
/// `HostProgram` is for the program that the node runs in, and `Upkeep` looks after the rest.
final class NodeHandler: LoopHandler {
  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let settings: NodeSettings
  private let metrics: NodeMetrics
  private let refusals: Refusals
  private let clients: Clients
  private let sync: SyncShell
  /// Nil where nobody is served, or the system has no thread for it.
  private let links: LinkShell?
  private let watching: Watching
  private let presence: PresenceNews
  private let upkeep: Upkeep
  private let commits: CommitReport
  private let history: HistoryQuestions
  private let turns: Turns
  private let pages: Pages
  private let host: HostProgram

  init(
    _ loop: EventLoop,
    library: OpenLibrary,
    settings: NodeSettings,
    endpoints: NodeEndpoints,
    pageLinks: PageTickets
  ) throws {
    self.loop = loop
    self.library = library
    self.settings = settings
    let store = library.store
    try store.deferCheckpoints()
    metrics = NodeMetrics(startMilliseconds: store.nowMilliseconds)
    refusals = Refusals(loop, store, metrics, settings.log)
    clients = Clients(loop, store, settings, endpoints, refusals, metrics)
    sync = SyncShell(
      loop,
      core: try NodeCore(
        store,
        name: library.ownName,
        random: SystemRandomNumberGenerator(),
        time: LoopTime { Platform.uptimeMicroseconds }
      ),
      joinAddresses: endpoints.joinAddresses,
      keyPin: endpoints.keyPin,
      log: settings.log
    )
    links = settings.linksFiles ? LinkShell(loop, store: store, log: settings.log) : nil
    watching = Watching(loop, library, metrics, clients, sync, settings.log)
    presence = PresenceNews(loop, library, sync, watching)
    upkeep = Upkeep(loop, store, settings, endpoints, sync)
    host = HostProgram(loop, library)
    commits = CommitReport(store, sync, links, watching, upkeep, metrics, host)
    let calls = Calls(loop, library, clients, sync, watching, presence, metrics, settings.log)
    history = HistoryQuestions(library, sync, calls)
    let slowWork = SlowWork(loop, sync.core.time)
    let slow = SlowCalls(loop, library, clients, calls, slowWork)
    turns = Turns(loop, store, sync, clients, calls, slow, history, watching, metrics, commits)
    let numbers = MetricsPage(loop, library, endpoints, metrics, clients, sync, watching)
    let files = PaletteFiles(loop, store: store, slowWork)
    pages = Pages(
      library,
      settings,
      endpoints,
      pageLinks,
      clients,
      refusals,
      metrics,
      numbers,
      files
    )

    calls.onRevoked = { [unowned self] in checkRights() }
    links?.onCommit = { [unowned self] in commits.reportOutsideTurn() }
    sync.connect(
      SyncShell.Callbacks(
        wantsFlush: { [unowned self] in turns.schedule() },
        onCommit: { [unowned self] in commits.reportOutsideTurn() },
        onPresence: { [unowned self] in presence.schedule() },
        onPeers: { [unowned self] in
          watching.schedulePeers()
          host.peersChanged()
        },
        onHistory: { [unowned self] in turns.answerAboutHistory() },
        addressOf: { [unowned self] in clients.address(of: $0) },
        makePageLink: {
          guard !endpoints.url.isEmpty else { return nil }
          let code = pageLinks.makeCode(atMilliseconds: store.nowMilliseconds)
          return "\(endpoints.pageURL)/#\(code)"
        },
        connections: { [unowned self] in clients.connectionsOfMembers }
      )
    )
    library.sharing = sync
    library.linking = links
    store.nameOfOwner = { [name = library.name] in name.text }
    watching.visitorOf = { [unowned presence] in presence.visitor($0, at: $1) }
    store.keepState()
    sync.core.quotaBytes = settings.quotaBytes
    sync.core.linksOfMember = settings.connectionsOfMember
    upkeep.keepRoom()
    sync.start()
    links?.resume()
    scheduleRightsCheck()
    upkeep.scheduleCertificateCheck()
  }

  // MARK: The loop

  func admit(_ request: UpgradeRequest) -> UpgradeDecision {
    switch request.route.path {
    case NodeRoute.rpc: clients.admit(request)
    // A peer shows its token in its hello.
    case NodeRoute.sync, NodeRoute.echo: .accept
    default: .reject(status: 503)
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse? { pages.respond(to: request) }

  func isOpen(toOtherSites path: String) -> Bool { pages.isOpen(toOtherSites: path) }

  func refused(_ address: String, _ reason: ConnectionRefusal) {
    refusals.refuse(address, reason)
  }

  func connected(_ connection: ConnectionInfo) {
    clients.add(connection)
    if connection.path == NodeRoute.sync {
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

  func received(_ message: Message, on id: ConnectionID) {
    metrics.received(message.bytes.count)
    if sync.owns(id) { return sync.received(message, on: id) }
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

  func drained(_ id: ConnectionID) {
    if sync.owns(id) { sync.drained(id) }
  }

  func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
    sync.failed(id, failure)
  }

  func closed(_ id: ConnectionID, _ event: CloseEvent) {
    let address = clients.removeAddress(of: id)
    if event.initiator == .local {
      refusals.ended(sync.owns(id) ? "a peer" : "a client", event, address: address)
    }
    if sync.owns(id) { return sync.closed(id, event) }
    guard clients.remove(id) else { return }
    forget(id)
    settings.log(
      NodeLog(
        .debug,
        .disconnect,
        "disconnected",
        [("connection", "\(id)"), ("code", "\(event.code)")]
      )
    )
  }

  /// Forgets what a client wanted, and that it is there.
  private func forget(_ id: ConnectionID) {
    watching.remove(id)
    turns.remove(id)
    presence.remove(id)
  }

  // MARK: Rights

  /// Disconnects everyone whose rights are other ones than when it came.
  private func checkRights() {
    for id in clients.removeChanged() { forget(id) }
  }

  /// Looks after tokens that expire while somebody is connected; where none can have, it costs nothing.
  private func scheduleRightsCheck() {
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      if clients.mayHaveChanged { checkRights() }
      scheduleRightsCheck()
    }
  }

  // MARK: This process

  /// Reports the commits of a job that the embedding program ran on the log.
  func logHasWorked() { commits.reportOutsideTurn() }

  /// The node's face to the program that embeds it.
  var program: HostProgram { host }

  /// Answers a request of this process.
  func answer(_ request: Request) throws(APIError) -> any Answer {
    defer { commits.reportOutsideTurn() }
    return try library.answer(request)
  }

  /// Asks a peer for what is missing in a palette's past; `then` is called when it has come, or will not.
  func fetchHistory(of palette: String, then: @escaping () -> Void) {
    history.fetch(of: palette, then: then)
  }

  /// Reads the network's certificate again, and says in the log what came of it.
  func reloadCertificate() { upkeep.reloadCertificate() }
}
