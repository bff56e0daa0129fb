internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// A running node, on the thread of its loop: the library and everyone who is connected.
final class NodeHandler: LoopHandler {
  /// Somebody who is connected through a WebSocket.
  enum Client {
    /// Speaks the RPC API; the token is nil on the Unix socket.
    case rpc(token: String?)
    /// Gets back what it sends.
    case echo
  }

  /// How many bytes may wait for a client before its next call is carried out.
  static let backlogLimit = 16 << 20
  /// The most bytes of a message from somebody who may not import files.
  static let readerMessageLimit = 64 << 10
  /// The most bytes that all unfinished messages of such a token may have, and of any other.
  static let unfinishedLimits = (reader: 4 << 20, editor: 128 << 20)

  /// How many calls of one client wait before it is read no further.
  static let requestLimit = 1_024
  /// What one client may ask in the long run, and at once; a call costs one.
  static let callLimits = FairLimits(perSecond: 10_000, burst: 20_000)

  unowned let loop: EventLoop
  let library: OpenLibrary
  let settings: NodeSettings
  let endpoints: NodeEndpoints
  let pageLinks: PageLinks
  let page = WebPage()
  /// Who knows what a token is worth, asked in turn.
  var authorities: [any TokenAuthority]
  let storedTokens: StoredTokenAuthority
  var clients: [ConnectionID: Client] = [:]
  /// What those who showed a token may do, as of when they came.
  var trusts: [ConnectionID: Trust] = [:]
  var watches = WatchHub<ConnectionID>()
  /// What clients asked for and is not carried out yet.
  var requests = FairQueue<ConnectionID, PendingRequest>(limits: NodeHandler.callLimits)
  /// The messages that wait until one before them on their connection is read.
  var unread: [ConnectionID: [Message]] = [:]
  /// Questions about the past, by the palette whose older history was asked for.
  var waitingForHistory: [PaletteID: [(ConnectionID, PendingRequest)]] = [:]
  /// Who waits in this process for a palette's older history.
  var historyWaiters: [PaletteID: [() -> Void]] = [:]
  /// When the next turn is; nil when nothing waits.
  var nextTurn: TimerID?
  /// Whether the next turn only waits for a limit to let something through.
  var isTurnDelayed = false
  var libraryWatch = LibraryWatch<ConnectionID>()
  /// Those who said what they look at.
  var presentClients: [ConnectionID: AuthorID] = [:]
  /// Whether watchers are told soon who is there.
  var willTellPresence = false
  /// Whether watchers are told soon.
  var willTell = false
  /// Whether the write-ahead log is shortened soon.
  var willCheckpoint = false
  /// Whether watchers are told soon where peers stand, and what they know of it.
  var willTellPeers = false
  var toldStanding: [String] = []
  /// Whether late watchers are looked after soon.
  var willCatchUp = false
  var metrics: NodeMetrics
  var peerCounts = PeerCounts()
  /// The palettes as files.
  var files: PaletteFiles
  var refusals = RefusalLog()
  /// Which connections of the API are whose.
  private var connections = MemberConnections()
  /// Where those came from who are connected.
  private var addresses: [ConnectionID: String] = [:]
  let sync: SyncShell
  /// Linked files; nil where nobody is served, or the system has no thread for them.
  let links: LinkShell?

  var store: ChangeStore { library.store }

  init(
    _ loop: EventLoop,
    library: OpenLibrary,
    settings: NodeSettings,
    endpoints: NodeEndpoints,
    pageLinks: PageLinks
  ) throws {
    self.loop = loop
    self.library = library
    self.settings = settings
    self.endpoints = endpoints
    self.pageLinks = pageLinks
    try library.store.deferCheckpoints()
    metrics = NodeMetrics(startMilliseconds: library.store.nowMilliseconds)
    files = PaletteFiles(store: library.store)
    storedTokens = StoredTokenAuthority(store: library.store)
    authorities = [storedTokens]
    sync = SyncShell(
      loop,
      core: try NodeCore(library.store, random: SystemRandomNumberGenerator()),
      joinAddresses: endpoints.joinAddresses,
      keyPin: endpoints.keyPin,
      log: settings.log
    )
    links =
      settings.linksFiles
      ? LinkShell(loop, store: library.store, log: settings.log) : nil
    sync.onCommit = { [unowned self] in hearOfCommits() }
    links?.onCommit = { [unowned self] in hearOfCommits() }
    sync.wantsFlush = { [unowned self] in scheduleTurn() }
    sync.onHistory = { [unowned self] in endWaitingForHistory() }
    sync.onPeers = { [unowned self] in schedulePeers() }
    sync.onPresence = { [unowned self] in schedulePresence() }
    sync.addressOf = { [unowned self] in addresses[$0] }
    sync.makePageLink = { [unowned self] in
      guard !endpoints.url.isEmpty else { return nil }
      let code = pageLinks.makeCode(atMilliseconds: store.nowMilliseconds)
      return "\(endpoints.pageURL)/#\(code)"
    }
    library.sharing = sync
    library.linking = links
    sync.core.name = library.ownName
    library.store.nameOfOwner = { [unowned library] in library.ownName }
    watches.nameOf = { [unowned library] in
      try? library.authorName(of: $0, in: $1, library.store)
    }
    library.store.keepState()
    sync.core.quotaBytes = settings.quotaBytes
    sync.core.linksOfMember = settings.connectionsOfMember
    checkRoom()
    sync.start()
    links?.start()
    scheduleRightsCheck()
    scheduleCertificateCheck()
  }

  /// Takes note of what became durable outside a turn, and has the watchers told soon.
  func hearOfCommits() {
    noteCommits()
    if watches.hasNews || libraryWatch.hasNews { scheduleTelling() }
  }

  /// Takes note of what is durable now; the next `tellWatchers` tells of it.
  func noteCommits() {
    for changes in sync.takeCommitted() {
      metrics.commitEnded(at: store.groupCommitted)
      metrics.commits += 1
      metrics.changes += changes.changes.count
      watches.note(changes)
      scheduleCheckpoint(after: changes.changes.count)
      libraryWatch.note(changes)
      links?.note(changes.palette)
    }
  }

  /// What a token is worth; nil when it is worth nothing.
  func rights(ofToken token: String) -> CallerRights? {
    for authority in authorities {
      if let rights = authority.rights(ofToken: token) { return rights }
    }
    return nil
  }

  func admit(_ request: UpgradeRequest) -> Admission {
    switch request.route.path {
    case NodeRoute.rpc:
      if request.listener == endpoints.local { return .accept }
      guard let token = token(in: request.headers), let rights = rights(ofToken: token) else {
        metrics.refuse(code: 401)
        logRefusal("refused without a valid token", address: request.peer.address)
        return .reject(status: 401, headers: [HTTPField("www-authenticate", "Bearer")])
      }
      if let member = rights.member,
        connections.count(of: member.id) >= settings.connectionsOfMember
      {
        metrics.refuse(code: 429)
        logRefusal("too many connections of member \(member.uid)", address: request.peer.address)
        return .reject(status: 429)
      }
      return .accept
    case NodeRoute.sync, NodeRoute.echo:
      // A peer shows its token in its hello.
      return .accept
    default:
      return .reject(status: 503)
    }
  }

  func connected(_ connection: ConnectionInfo) {
    addresses[connection.id] = connection.peer.address
    switch connection.path {
    case NodeRoute.sync:
      sync.connected(connection.id)
    case NodeRoute.rpc:
      let isLocal = connection.listener == endpoints.local
      let token = isLocal ? nil : token(in: connection.headers)
      clients[connection.id] = .rpc(token: token)
      let caller = token.flatMap { rights(ofToken: $0) }
      trusts[connection.id] = caller?.trust
      if let member = caller?.member { connections.add(connection.id, of: member.id) }
      if let token { limitMessages(of: connection.id, token: token) }
    default:
      clients[connection.id] = .echo
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
    metrics.receivedBytes += message.bytes.count
    if sync.owns(id) { return sync.received(message, on: id) }
    switch clients[id] {
    case .rpc(let token): receive(message, on: id, token: token)
    case .echo: send(message.bytes, as: message.kind, to: id)
    case nil: break
    }
    tellWatchers()
  }

  func drained(_ id: ConnectionID) {
    if sync.owns(id) { sync.drained(id) }
  }

  func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
    sync.failed(id, failure)
  }

  func closed(_ id: ConnectionID, _ event: CloseEvent) {
    let address = addresses.removeValue(forKey: id)
    if event.initiator == .local {
      logEnd(of: sync.owns(id) ? "a peer" : "a client", event, address: address ?? "")
    }
    if sync.owns(id) { return sync.closed(id, event) }
    guard clients.removeValue(forKey: id) != nil else { return }
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

  /// The codes by which whoever breaks a protocol is disconnected.
  private static let violations: Set<CloseCode> = [
    .protocolError, .notAccepted, .invalidPayload, .policyViolation, .messageTooBig,
  ]

  /// Logs that somebody was disconnected for what it sent, or for a right that it does not have.
  private func logEnd(of who: String, _ event: CloseEvent, address: String) {
    let isViolation = Self.violations.contains(event.code)
    guard isViolation || Self.refusalCodes.contains(event.code.rawValue) else { return }
    metrics.refuse(code: Int(event.code.rawValue))
    logRefusal(
      who + (isViolation ? " broke the protocol" : " was refused"),
      address: address,
      isViolation ? .warning : .info,
      [("code", "\(event.code)"), ("reason", JSON(event.reason))]
    )
  }

  /// The codes by which whoever has no right, or speaks another version, is disconnected.
  private static let refusalCodes: ClosedRange<UInt16> = 4400...4499

  /// Forgets what a client wanted, and that it is there.
  func forget(_ id: ConnectionID) {
    trusts[id] = nil
    connections.remove(id)
    watches.remove(id)
    libraryWatch.remove(id)
    requests.remove(id)
    unread[id] = nil
    endPresence(of: id)
  }

  /// Sends a message; a client that does not take what it asked for is disconnected.
  func send(_ bytes: [UInt8], as kind: Message.Kind = .text, to id: ConnectionID) {
    metrics.sentBytes += bytes.count
    guard loop.send(bytes, as: kind, to: id) == .full else { return }
    metrics.overflows += 1
    loop.close(id, code: .tryAgainLater)
  }
}
