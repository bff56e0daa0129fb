public import PaletteModel

/// One connection of the protocol `hued.sync.v1`, as a pure state machine: event in, actions out.
///
/// It owns no socket, no clock and no thread. Whoever does hands it events, carries its actions out
/// in order, and lends it the library to read. Everything it knows is rebuilt on every connection
/// from what both sides durably hold.
public struct SyncSession: Sendable {
  /// Which end of the connection this is.
  public enum Side: Hashable, Sendable {
    /// This node connected: it says hello.
    case dialer(Credentials)
    /// The peer connected: its grants decide what it may cause.
    case acceptor
  }

  /// What a dialer shows, and what it agreed to when it joined.
  public struct Credentials: Hashable, Sendable {
    /// The secret of the member that this library is there; empty before the first welcome.
    public var secret: [UInt8]
    /// The secret of a join code to be redeemed; empty for none.
    public var code: [UInt8]
    /// What was agreed when this library joined: a welcome may say less, never more.
    public var grants: [Grant]
    /// Random bytes, where the acceptor must prove first that it knows the secret.
    public var nonce: [UInt8]?

    /// Describes credentials.
    public init(
      secret: [UInt8] = [],
      code: [UInt8] = [],
      grants: [Grant],
      nonce: [UInt8]? = nil
    ) {
      self.secret = secret
      self.code = code
      self.grants = grants
      self.nonce = nonce
    }
  }

  /// Where the session stands.
  enum Phase: Hashable {
    /// The connection opens.
    case opening
    /// Hello or welcome is awaited.
    case greeting
    /// The acceptor is to prove that it knows the secret.
    case challenging(Challenge)
    /// The secret of this challenge is being looked up.
    case proving(Challenge)
    /// The secrets of this hello are being looked up.
    case deciding(Hello)
    /// Both know each other.
    case established
    /// Closed, or about to be.
    case closed
  }

  /// Which end this is.
  public let side: Side
  let node: NodeID
  let library: RecordID
  let name: String
  let otherNodes: [NodeID]
  let limits: SyncLimits
  var phase = Phase.opening
  /// What either side may cause at the other.
  public internal(set) var trust = Trust.none
  /// What the peer states and asks for, counted.
  var budget = PeerBudget()
  var comparison = Comparison()
  /// Authors of whom both sides hold different changes: nothing of them is pushed.
  var forks: [PaletteID: Set<NodeID>] = [:]
  /// Where it is being found out from which change on they differ.
  var searches: [PaletteID: [NodeID: ForkSearch]] = [:]
  /// Found forks of own changes, of which the peer is to show a change that differs.
  var proofs: [PaletteID: [NodeID: ForkSearch]] = [:]
  /// The most bytes of a frame that the peer takes.
  var frameBytes = SyncProtocol.frameBytes
  var progress = ProgressTable()
  /// The palettes that the peer is still to be asked for.
  var asks = FrontierAsks()
  /// What the peer said it holds, where we do not hold all of it yet.
  var awaited = StatementTable()
  /// What the peer said to hold that is missing here and that it may not push.
  var outOfReach: [PaletteID: Frontier] = [:]
  /// Palettes of which a change came too early, and of which we told how far we are.
  var restarted: Set<PaletteID> = []
  var incoming: [PaletteID: IncomingSnapshot] = [:]
  var pulls: [PaletteID: SnapshotPull] = [:]
  /// What the peer acknowledged since its snapshot began, which does not say so.
  var ackedSince: [PaletteID: Frontier] = [:]
  /// What both sides can do beyond the version.
  var features: Set<String> = []
  /// Bytes of changes and snapshots that the peer still takes.
  var credit: UInt64 = 0
  /// How many were pushed since others had their turn.
  var pushed: UInt64 = 0
  /// What of them the peer may still send to us.
  var window: ReceivingWindow
  /// Whose presence the peer was told of and not told the end of.
  var presented: Set<Presence.Who> = []
  var isCongested = false
  var hasCaughtUp = false

  /// Creates a session of a node; nothing is sent before the connection opens.
  public init(
    _ side: Side,
    node: NodeID,
    library: RecordID,
    name: String = "",
    otherNodes: [NodeID] = [],
    limits: SyncLimits = SyncLimits()
  ) {
    self.side = side
    self.node = node
    self.library = library
    self.name = name
    self.otherNodes = otherNodes
    self.limits = limits
    window = ReceivingWindow(size: limits.creditBytes)
  }

  /// Whether hello and welcome were exchanged, and neither side has closed.
  public var isEstablished: Bool { phase == .established }

  var isDialer: Bool { side != .acceptor }

  /// Takes what happened and tells what to do.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - library: The library that the session speaks for.
  ///   - milliseconds: The node's clock.
  /// - Returns: What to do, in order.
  /// - Throws: Only what the library throws; the session is of no more use then.
  public mutating func handle<Library: SyncLibrary>(
    _ event: SyncEvent,
    library: Library,
    milliseconds: UInt64
  ) throws(Library.Failure) -> [SyncAction] {
    var actions: [SyncAction] = []
    // What a hub does most, for every watcher of every change: nothing else is looked at.
    if case .committed(let palette, let changes) = event {
      guard case .established = phase else { return [] }
      try push(palette, changes, library, &actions)
      // What this peer has may have come from another one.
      try check(palette, library, &actions)
      noteProgress(&actions)
      return actions
    }
    switch (phase, event) {
    case (.closed, _):
      break
    case (_, .received(let bytes)):
      guard let frame = decode(bytes, &actions) else { break }
      try receive(frame, byteCount: bytes.count, library, milliseconds, &actions)
    case (_, .revoked(let code)):
      refuse(.unauthorized, code: code, reason: "the grant is \(code)", &actions)
    case (_, .draining(let retryAfter)):
      actions.append(.send(Frame.goaway(retryAfterMilliseconds: retryAfter).encoded))
      close(.goingAway, "the node ends", &actions)
    case (.opening, .opened):
      open(milliseconds, &actions)
    case (.proving(let challenge), .found(let hash, let nonce)):
      phase = .greeting
      actions.append(.send(Frame.proof(Proof(of: hash, to: challenge, nonce: nonce)).encoded))
    case (.deciding(let hello), .accepted(let admission)):
      try welcome(hello, admission, library, milliseconds, &actions)
    case (.deciding, .rejected(let close, let code, let reason)),
      (.proving, .rejected(let close, let code, let reason)):
      refuse(close, code: code, reason: reason, &actions)
    case (.established, .merged(let palette, let results)):
      try acknowledge(palette, results, library, &actions)
    case (.established, .mergedSnapshot(let palette, let refused)):
      try acknowledgeSnapshot(palette, refused, library, &actions)
    case (.established, .rebuilt(let palette)):
      try compareAgain(palette, library, &actions)
    case (.established, .congested):
      isCongested = true
    case (.established, .writable):
      isCongested = false
      try askOn(library, &actions)
      try pump(library, &actions)
    case (.established, .pushDue):
      try pump(library, &actions)
    case (.established, .historyWanted(let palette, let node, let numbers)):
      ask(palette, node, numbers, &actions)
    case (.established, .present(let presence)):
      present(presence, &actions)
    case (.established, .pingDue):
      actions.append(.send(Frame.ping(milliseconds).encoded))
    case (.established, .gaveBack(let palette)):
      actions.append(.send(Frame.giveBack(palette).encoded))
    case (.established, .bindingsKnown(let bindings)):
      tell(bindings, &actions)
    case (.established, .bound(let nodes)):
      trust = trust.speaking(as: nodes)
    case (.opening, _), (.greeting, _), (.challenging, _), (.proving, _), (.deciding, _),
      (.established, _):
      break
    }
    return actions
  }

  private mutating func decode(_ bytes: [UInt8], _ actions: inout [SyncAction]) -> Frame? {
    do {
      return try Frame(decoding: bytes)
    } catch {
      fail("\(error)", &actions)
      return nil
    }
  }

  private mutating func receive<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    switch (phase, frame) {
    case (.greeting, .hello(let hello)) where !isDialer:
      greet(hello, &actions)
    case (.greeting, .challenge(let challenge)) where !isDialer:
      phase = .proving(challenge)
      actions.append(.findSecret(challenge.secretID))
    case (.challenging(let challenge), .proof(let proof)) where isDialer:
      take(proof, to: challenge, milliseconds, &actions)
    case (.greeting, .welcome(let welcome)) where isDialer:
      try enter(welcome, library, &actions)
    case (_, .refuse(let code, let reason)):
      actions.append(.refused(code: code, reason: reason))
      close(SyncProtocol.CloseCode(refusal: code), "refused: \(code)", &actions)
    case (_, .goaway(let milliseconds)):
      actions.append(.retryAfter(milliseconds: milliseconds))
    case (_, .bye):
      close(.normal, "the peer said bye", &actions)
    case (.established, _):
      guard budget.admits(frame, atMilliseconds: milliseconds) else { return refuse(&actions) }
      try receiveEstablished(frame, byteCount: byteCount, library, milliseconds, &actions)
      let kept = awaited.byteCount + 36 * comparison.entries.count
      if phase == .established, kept > budget.statementBytes { refuse(&actions) }
    case (.opening, _), (.greeting, _), (.challenging, _), (.proving, _), (.deciding, _),
      (.closed, _):
      fail("this frame is not expected before the welcome", &actions)
    }
  }

  mutating func close(
    _ code: SyncProtocol.CloseCode,
    _ reason: String,
    _ actions: inout [SyncAction]
  ) {
    phase = .closed
    actions.append(.close(code, reason: reason))
  }

  /// Ends a session whose peer broke the protocol.
  mutating func fail(_ reason: String, _ actions: inout [SyncAction]) {
    close(.protocolError, reason, &actions)
  }

  /// Ends a session whose peer asks or states more than one connection may.
  private mutating func refuse(_ actions: inout [SyncAction]) {
    actions.append(.overBudget)
    let reason = "too much was asked or stated on one connection"
    refuse(.overBudget, code: "over-budget", reason: reason, &actions)
  }

  mutating func refuse(
    _ close: SyncProtocol.CloseCode,
    code: String,
    reason: String,
    _ actions: inout [SyncAction]
  ) {
    actions.append(.send(Frame.refuse(code: code, reason: reason).encoded))
    self.close(close, reason, &actions)
  }
}
