internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// Carries out on a loop what a node's core decides about peers.
final class SyncShell {
  private unowned let loop: EventLoop
  let core: NodeCore
  let joinAddresses: [String]
  let keyPin: [UInt8]
  private(set) var receivedChanges = 0
  private var callbacks: Callbacks?
  private let log: (NodeLog) -> Void
  private var connections: Set<ConnectionID> = []
  private var dialing: [ConnectionID: (url: String, address: String)] = [:]
  /// The frames of those who had their share of the loop's time.
  private var delayed: DelayedFrames<ConnectionID>
  /// True if those are soon taken.
  private var willServeDelayed = false
  /// The connections that were dialed, by the peer's URL.
  private var dialed: [ConnectionID: String] = [:]
  private(set) var times = PeerTimes()
  /// The arrival of the oldest frame that waits to be merged.
  private var waitingArrival: ContinuousClock.Instant?
  /// The arrival of the oldest frame that the last flush merged.
  private var mergedArrival: ContinuousClock.Instant?

  /// Whom it tells what happens, and whom it asks.
  struct Callbacks {
    /// Begins to connect to a peer.
    let connect: (ConnectRequest) -> ConnectionID
    /// So many bytes are sent to a peer.
    let onSend: (Int) -> Void
    /// Asks for a flush when what is going on is over.
    let wantsFlush: () -> Void
    /// Something became durable, outside a flush.
    let onCommit: () -> Void
    /// Somebody may have come to a palette, or left it.
    let onPresence: () -> Void
    /// A peer may stand elsewhere than before.
    let onPeers: () -> Void
    /// Old history has come, or will not come.
    let onHistory: () -> Void
    /// The address of a connection.
    let addressOf: (ConnectionID) -> String?
    /// A connection is a member's.
    let onMember: (ConnectionID, Member) -> Void
    /// The fields of a line of the log about a connection.
    let fieldsOf: (ConnectionID) -> [(key: String, value: JSON)]
    /// Makes a link that opens the web page, once; nil where none is served.
    let makePageLink: () -> String?
    /// The connections of the API that are whose, with since when each is there.
    let connections: () -> [Int64: [ConnectionID: Int64]]
  }

  /// The time that a peer that was dialed may be silent; it is asked in between, so that `status`
  /// never says `live` for longer than ten seconds without an answer.
  private static let patience = Patience(
    pingAfter: .milliseconds(2_500),
    silenceLimit: .seconds(8),
    unacknowledgedLimit: NodeRoute.unacknowledgedLimit
  )
  /// The time that a peer may take for an answer when this machine's network has changed.
  private static let doubtPatience = Duration.seconds(4)

  init(
    _ loop: EventLoop,
    core: NodeCore,
    joinAddresses: [String],
    keyPin: [UInt8],
    log: @escaping (NodeLog) -> Void
  ) {
    self.loop = loop
    self.core = core
    self.joinAddresses = joinAddresses
    self.keyPin = keyPin
    self.log = log
    delayed = DelayedFrames(core.time)
    if let damage = core.damage {
      log(NodeLog(.error, .storage, "the library is damaged: \(damage.message)"))
    }
  }

  /// Calls these from now on; nothing is reported before.
  func start(_ callbacks: Callbacks) { self.callbacks = callbacks }

  /// True if there is a connection with a peer, or one is being made.
  var isConnected: Bool { !connections.isEmpty || !dialing.isEmpty }

  /// States whether the disk has space for what others write.
  func setSpace(_ isThere: Bool) {
    if isThere == core.isFull { handle(.room(isThere)) }
  }

  /// The state of each joined peer, in a few words: watchers hear of it when it changes.
  var standing: [String] {
    core.peers.keys.sorted().map { url in
      let dialer = core.dialers[url]
      return "\(url) \(dialer?.state.rawValue ?? "") \(dialer?.error?.text ?? "")"
    }
  }

  /// The number of peers that are connected.
  var connectionCount: Int { connections.count }

  /// Hands out what became durable, and has the sessions told where they were not yet.
  func removeCommitted() -> [CommittedChanges] {
    let committed = core.removeCommitted()
    for changes in committed
    where changes.changes.contains(where: { !core.store.isOwn($0.dot.node) }) {
      receivedChanges += changes.changes.count
    }
    if core.hasNews { callbacks?.wantsFlush() }
    return committed
  }

  /// A connection to a peer is open.
  ///
  /// - Parameters:
  ///   - id: The connection.
  ///   - endpoint: The acceptor's address and port, as the system has them.
  ///   - proxy: The address and port that peers dial instead of this node's own; nil for its own.
  func connected(_ id: ConnectionID, at endpoint: String, dialedAs proxy: String?) {
    connections.insert(id)
    if let (url, address) = dialing.removeValue(forKey: id) {
      dialed[id] = url
      handle(.dialed(PeerConnectionID(id), url: url, address: address, endpoint: endpoint))
    } else {
      handle(.accepted(PeerConnectionID(id), endpoint: proxy ?? endpoint))
    }
  }

  func received(_ message: Message, on id: ConnectionID) {
    guard message.kind == .binary else {
      return loop.close(id, code: .notAccepted, reason: "frames are binary")
    }
    if let url = dialed[id] { times.heard(url, at: core.store.nowMilliseconds) }
    guard delayed.delays(message.bytes, on: id, of: payer(of: id)) else {
      return take(message.bytes, on: id)
    }
    loop.pause(id)
    serveDelayedSoon()
  }

  /// The payer for a connection's requests.
  private func payer(of id: ConnectionID) -> Payer {
    core.payer(of: PeerConnectionID(id), from: callbacks?.addressOf(id) ?? "")
  }

  private func take(_ frame: [UInt8], on id: ConnectionID) {
    core.time.spend(for: payer(of: id)) { handle(.received(PeerConnectionID(id), frame)) }
    if waitingArrival == nil, core.nextFlushMilliseconds != nil { waitingArrival = .now }
    // Frames that wait already are merged in the same commit.
    callbacks?.wantsFlush()
  }

  private func serveDelayedSoon() {
    guard !willServeDelayed else { return }
    willServeDelayed = true
    loop.schedule(after: .zero) { [weak self] in self?.serveDelayed() }
  }

  /// Takes some of the frames that wait; before the next ones, what others sent meanwhile is read.
  private func serveDelayed() {
    willServeDelayed = false
    delayed.begin()
    while let (id, frame) = delayed.next() {
      take(frame, on: id)
      if !delayed.holds(id) { loop.resume(id) }
    }
    if !delayed.isEmpty { serveDelayedSoon() }
  }

  func drained(_ id: ConnectionID) { handle(.drained(PeerConnectionID(id))) }

  func closed(_ id: ConnectionID, _ event: CloseEvent) {
    connections.remove(id)
    dialed[id] = nil
    delayed.remove(id)
    handle(.closed(PeerConnectionID(id), code: event.code.rawValue, reason: event.reason))
  }

  func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
    guard let (url, address) = dialing.removeValue(forKey: id) else { return }
    handle(.dialFailed(url: url, address: address, error: PeerError(failure)))
  }

  func handle(_ event: NodeEvent) {
    do {
      try carryOut(try core.handle(event))
      callbacks?.onCommit()
      if core.nextFlushMilliseconds == 0 { callbacks?.wantsFlush() }
      if !core.presence.touched.isEmpty { callbacks?.onPresence() }
      if !core.settledHistory.isEmpty { callbacks?.onHistory() }
    } catch {
      core.rememberDamage(error)
      log(NodeLog(.error, .storage, "the library cannot be used: \(error)"))
      callbacks?.onCommit()
    }
  }

  /// Commits what peers sent together with edits made here, and tells everyone.
  ///
  /// - Parameters:
  ///   - edits: Writes to the store.
  ///   - meanwhile: What can be done while the disk writes, as `ChangeStore.group` says.
  /// - Returns: Why nothing of it is durable; nil when it is.
  func flush(with edits: () -> Void, meanwhile: @escaping () -> Void = {}) -> StoreError? {
    let (effects, failure) = core.flush(with: edits, meanwhile: meanwhile)
    // Where peers are served from the log or send more than a turn takes, some goes on waiting.
    mergedArrival = waitingArrival
    waitingArrival = core.nextFlushMilliseconds == nil ? nil : .now
    do {
      try carryOut(effects)
    } catch {
      core.rememberDamage(error)
      log(NodeLog(.error, .storage, "the library cannot be used: \(error)"))
    }
    return failure
  }

  /// The arrival of the oldest frame that the last flush merged; nil if there was none.
  func removeMergedArrival() -> ContinuousClock.Instant? {
    defer { mergedArrival = nil }
    return mergedArrival
  }

  private func carryOut(_ effects: [NodeEffect]) throws {
    // Frames that go to many connections one after the other are made messages once.
    var shared: (frames: SharedFrames, messages: OutgoingMessages)?
    for effect in effects {
      switch effect {
      case .send(let peer, let frame):
        try send(OutgoingMessages([frame], as: .binary), to: peer)
      case .sendShared(let peer, let frames):
        if let shared, shared.frames === frames {
          try send(shared.messages, to: peer)
        } else {
          let messages = OutgoingMessages(frames.frames, as: .binary)
          shared = (frames, messages)
          try send(messages, to: peer)
        }
      case .close(let peer, let code, let reason):
        loop.close(peer.connection, code: CloseCode(rawValue: code), reason: reason)
      case .dial(let url, let address, let pin, let timeout):
        dial(url, address, pin, .milliseconds(timeout))
      case .cancelDials(let url): cancelDials(url)
      case .doubt(let peer): loop.doubt(peer.connection, within: Self.doubtPatience)
      case .greeted(let peer): loop.keep(peer.connection)
      case .named(let peer, let member): callbacks?.onMember(peer.connection, member)
      case .log(let event, let isProblem, let text, let peer):
        let fields = peer.flatMap { callbacks?.fieldsOf($0.connection) } ?? []
        log(NodeLog(isProblem ? .warning : .info, event, text, fields))
      case .peersChanged:
        times.update(core.dialers, at: core.store.nowMilliseconds)
        callbacks?.onPeers()
      }
    }
  }

  private func send(_ messages: OutgoingMessages, to peer: PeerConnectionID) throws {
    callbacks?.onSend(messages.byteCount)
    switch loop.send(messages, to: peer.connection) {
    case .queued:
      // Nothing but what the loop itself calls congested is ever followed by `drained`.
      if loop.isCongested(peer.connection) {
        try carryOut(try core.handle(.congested(peer)))
      }
    case .full: loop.close(peer.connection, code: .tryAgainLater, reason: "try again later")
    case .closed: break
    }
  }

  private func dial(_ url: String, _ address: String, _ pin: [UInt8], _ timeout: Duration) {
    let fail = { [unowned self] (reason: String) in
      handle(.dialFailed(url: url, address: address, error: PeerError(reason)))
    }
    guard let target = PeerURL(address) else {
      return fail("'\(address)' is no address of a node")
    }
    guard !target.isPlainBeyondLoopback else {
      return fail("'\(address)' is not encrypted")
    }
    let trust: ServerTrust =
      if !target.isEncrypted { .plain } else if let pin = KeyPin(bytes: pin) { .pin(pin) } else {
        .system
      }
    let id = callbacks?.connect(
      ConnectRequest(
        endpoint: .tcp(host: target.host, port: target.port),
        trust: trust,
        path: target.base + NodeRoute.sync,
        subprotocol: SyncProtocol.subprotocol,
        queueLimit: NodeRoute.syncQueueBytes,
        timeout: timeout,
        patience: Self.patience
      )
    )
    if let id { dialing[id] = (url, address) }
  }

  private func cancelDials(_ url: String) {
    for (id, dial) in dialing where dial.url == url {
      dialing[id] = nil
      loop.close(id)
    }
  }
}

extension PeerConnectionID {
  fileprivate init(_ id: ConnectionID) { self.init(rawValue: id.rawValue) }

  fileprivate var connection: ConnectionID { ConnectionID(rawValue: rawValue) }
}

extension PeerError {
  fileprivate init(_ failure: ConnectFailure) {
    self.init(code: failure.kind == .otherKey ? Self.otherKey : nil, failure.message)
  }
}

extension SyncShell: Sharing {
  var damage: StoreError? { core.damage }

  func missingChanges() throws -> [MissingChanges] {
    try core.missingChanges().map { MissingChanges(count: $0.count, member: $0.member) }
  }

  func peerStates(of palette: PaletteID? = nil) throws -> [PeerState] {
    // What is pending is counted from what is written.
    core.writeStatements()
    let peers = core.peers.values.filter { peer in palette.map { peer.shares($0) } ?? true }
    times.update(core.dialers, at: core.store.nowMilliseconds)
    let pending = peers.isEmpty ? nil : try core.store.pendingChanges(at: peers, of: palette)
    return try peers.sorted { $0.url < $1.url }.map { peer in
      let dialer = core.dialers[peer.url] ?? PeerDialer()
      var state = PeerState(peer: peer, state: dialer.state)
      state.roundTripMilliseconds = dialer.roundTripMilliseconds
      state.clockOffsetMilliseconds = dialer.clockOffsetMilliseconds
      state.error = dialer.error
      state.sinceMilliseconds = times.since(of: peer.url)
      state.lastContactMilliseconds = times.lastContact(of: peer.url)
      state.withheld = try core.withheld(at: peer.url)
      state.isCaughtUp = dialer.isCaughtUp
      state.failures = dialer.attempts
      state.changesToCome = dialer.connection.map(core.changesToCome) ?? peer.changesToCome ?? 0
      state.pending = pending?.atPeers[peer.url] ?? 0
      return state
    }
  }

  func presences(of members: [Member]) throws -> [Int64: MemberPresence] {
    try core.presences(of: members, connections: callbacks?.connections() ?? [:])
  }

  func join(_ ticket: JoinTicket) throws -> String {
    guard !core.isRedeeming(anotherCodeThan: ticket) else {
      throw APIError(
        code: "failed",
        message: "another join code of this node is being redeemed",
        hint: "join again when 'hued status' shows the node as live, or end that with 'hued leave'"
      )
    }
    try carryOut(try core.handle(.joined(ticket)))
    let peer = core.peers.values.first { $0.code == ticket.code }
    return peer?.url ?? ticket.addresses[0]
  }

  func leave(url: String, palette: PaletteID?) throws {
    try carryOut(try core.handle(.left(url: url, palette: palette)))
  }

  func rightsChanged() throws { try carryOut(try core.handle(.rightsChanged)) }

  func makePageLink() -> String? { callbacks?.makePageLink() }

  func syncNow() throws {
    try carryOut(try core.handle(.syncNow))
    try carryOut(try core.handle(.tick))
  }
}
