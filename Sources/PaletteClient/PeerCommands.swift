internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePlatform
internal import PaletteStore

/// The commands that wait for peers: they ask a node, and look at its state until it is as wanted.
struct PeerCommands {
  /// Asks the node.
  let ask: (Request) throws(APIError) -> any Answer
  /// The time that a peer may take to be reached.
  let patienceMilliseconds: Int
  /// True if to give up as soon as every peer was tried in vain.
  var givesUpEarly = false
  /// Receives the progress of a catch-up, each time that the peers were asked.
  var progress: ProgressReport = { _ in }

  /// `join CODE`: waits for the first catch-up, and until the peer has what was made here before.
  func join(_ request: Request) throws(APIError) -> JSON {
    let grant = try JoinCode(request.parameters["code"].stringValue ?? "").grant
    // From here on an interruption ends the work and not the process, so that it is always said
    // whether the peer is joined: by the first look at it, which is told of the interruption again.
    try? progress(Progress("Connecting"))
    let url = Received<Joining>(try ask(request).json).peer
    var waiting = JoinWaiting(for: url, within: .milliseconds(patienceMilliseconds))
    var progress = SyncProgress()
    var pause = Pause()
    while true {
      let state = try peers()
      switch waiting.look(at: state.peers.first { $0.url == url }) {
      case .caughtUp:
        try waitForPending(of: url)
        return try answer(url, grant)
      case .failed(let error):
        try leave(url)
        throw error
      case .waiting(let peer):
        if let damage = state.damage { throw damage }
        try reportJoining(peer, &progress)
        pause.wait()
      }
    }
  }

  /// Waits until a peer that was joined holds what was made here, as long as it goes on taking changes.
  private func waitForPending(of url: String) throws(APIError) {
    var progress = SyncProgress()
    var pause = Pause()
    var fewest = Int.max
    var deadline = 0.0
    while let peer = try peers().peers.first(where: { $0.url == url }), peer.state == .live,
      peer.error == nil, peer.pending > 0
    {
      if peer.pending < fewest {
        fewest = peer.pending
        deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
      }
      guard Platform.uptime < deadline else { return }
      do throws(APIError) {
        try report("Sending", left: peer.pending, &progress)
      } catch {
        throw .interrupted(
          "\(url) is joined, and \(Self.waiting(peer.pending, because: nil)) to be sent",
          hint: "'hued sync' or 'hued serve' sends them"
        )
      }
      pause.wait()
    }
  }

  /// `leave PEER`: waits until the peer is there to hear of it, or cannot be reached.
  ///
  /// - Returns: The answer, and the peer's URL where it did not hear of it.
  func leave(_ request: Request) throws(APIError) -> (answer: JSON, untold: String?) {
    let argument = request.parameters["peer"].stringValue ?? ""
    let deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
    var pause = Pause()
    while true {
      let peers = try peers().peers
      let fitting = peers.filter { $0.url == argument || $0.url.contains(argument) }
      // Which of several is meant, and that none is, the answer says.
      guard fitting.count == 1, !isSettled(fitting[0]), fitting[0].state != .live,
        Platform.uptime < deadline
      else {
        let answer = try ask(request).json
        // One that refuses this library has no member to forget.
        let hasHeard = [.live, .refused].contains(fitting.first?.state)
        return (answer, hasHeard ? nil : Received<TextAnswer>(answer).left)
      }
      pause.wait()
    }
  }

  /// `sync`: waits until every peer that can be reached holds everything.
  ///
  /// - Returns: The answer, and what still waits, with the reason; nil where nothing does.
  func sync() throws(APIError) -> (answer: JSON, waiting: String?) {
    let before = try pending()
    let received = try receivedChanges()
    var deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
    var lastLeft = 0
    var peers: [PeerStanding] = []
    var progress = SyncProgress()
    var pause = Pause()
    while true {
      let state = try self.peers()
      peers = state.peers
      if let damage = state.damage, !peers.allSatisfy(\.isInSync) { throw damage }
      let left = Self.left(peers)
      let leftOfLive = Self.left(peers.filter { $0.state == .live })
      if leftOfLive != lastLeft {
        // Patience is for peers that do not get on, not for those with much to exchange.
        deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
        lastLeft = leftOfLive
      }
      if peers.allSatisfy(isSettled) || Platform.uptime >= deadline { break }
      do throws(APIError) {
        try report("Syncing", left: left, &progress)
      } catch {
        throw .interrupted(
          left == 0
            ? "no peer has answered yet"
            : "\(left) change\(left == 1 ? " is" : "s are") still to be exchanged",
          hint: "nothing is lost; 'hued sync' goes on where it stopped"
        )
      }
      pause.wait()
    }
    let pending = try pending()
    if let peer = peers.first(where: { $0.state != .live }) {
      let refusal = peer.state == .refused ? APIError.code(ofRefusal: peer.error) : nil
      throw APIError(
        code: refusal ?? "unreachable",
        message: "\(peer.url) "
          + (refusal == nil ? "is unreachable" : "refuses this library")
          + (peer.reason.map { ": \($0)" } ?? ""),
        hint: Self.hint(pending: pending, refusal: refusal)
      )
    }
    let answer = JSON([
      (key: "sent", value: JSON(max(0, before - pending))),
      (key: "received", value: JSON(try receivedChanges() - received)),
      (key: "pending", value: JSON(pending)),
    ])
    return (answer, pending > 0 ? Self.waiting(pending, at: peers) : nil)
  }

  /// Says what waits though the peers are there.
  private static func waiting(_ pending: Int, at peers: [PeerStanding]) -> String {
    let slow = peers.first { $0.error != nil } ?? peers.first { $0.pending > 0 }
    let reason = slow.map { $0.reason ?? "\($0.url) has not said that it holds them" }
    return waiting(pending, because: reason)
  }

  /// Says that changes wait, and why where that is known.
  static func waiting(_ pending: Int, because reason: String?) -> String {
    "\(pending) change\(pending == 1 ? "" : "s") waiting" + (reason.map { ": \($0)" } ?? "")
  }

  /// Explains what happens to changes that a peer has not accepted, and what to do.
  private static func hint(pending: Int, refusal: String?) -> String? {
    let waiting = pending == 1 ? "1 change waits" : "\(pending) changes wait"
    if let refusal, refusal != PeerError.incompatible {
      return (pending > 0 ? "\(waiting) here; " : "")
        + "ask whoever runs it for a new code, then 'hued join CODE'"
    }
    guard pending > 0 else { return nil }
    return "\(waiting) here until " + (refusal == nil ? "it is back" : "both are of one version")
  }

  private func report(
    _ work: String,
    left: Int,
    _ progress: inout SyncProgress
  ) throws(APIError) {
    let isKnown = left > 0 || progress.total > 0
    if isKnown { progress.update(left: left) }
    try self.progress(
      isKnown ? Progress(work, .changes, done: progress.done, of: progress.total) : Progress(work)
    )
  }

  /// Tells how far joining is; who ends it keeps what has come, or has not joined at all.
  private func reportJoining(
    _ peer: PeerStanding,
    _ progress: inout SyncProgress
  ) throws(APIError) {
    let isLive = peer.state == .live
    let left = isLive ? peer.toCome : 0
    do throws(APIError) {
      try report(isLive ? "Joining" : "Connecting", left: left, &progress)
    } catch {
      let url = peer.url
      guard isLive else {
        try leave(url)
        throw .interrupted(
          "\(url) has not answered, so it is not joined",
          hint: "the code is still good unless the node has used it without our hearing of it"
        )
      }
      throw .interrupted(
        "\(url) is joined, and \(left) change\(left == 1 ? " is" : "s are") still to come",
        hint: "'hued sync' or 'hued serve' gets them"
      )
    }
  }

  /// The number of changes that are to be exchanged with peers.
  private static func left(_ peers: [PeerStanding]) -> Int {
    peers.reduce(0) { $0 + $1.toCome + $1.pending }
  }

  /// Returns whether nothing more is to be expected of a peer.
  private func isSettled(_ peer: PeerStanding) -> Bool {
    switch peer.state {
    case .refused: true
    case .live: peer.isInSync
    case .connecting, .offline: givesUpEarly && peer.isUnreachable
    }
  }

  private func receivedChanges() throws(APIError) -> Int {
    Received<SyncAnswer>(try ask(Request(method: Command.sync.name, parameters: [:])).json).received
      ?? 0
  }

  /// The number of changes of this library peers do not hold yet.
  private func pending() throws(APIError) -> Int {
    // No palette is asked for: there may be very many.
    let request = Request(method: Command.status.name, parameters: ["limit": 0])
    return Received<StatusAnswer>(try ask(request).json).pending ?? 0
  }

  /// The state of each peer, and the damage that makes waiting pointless; cheaper than `status`.
  private func peers() throws(APIError) -> (peers: [PeerStanding], damage: APIError?) {
    let answer = Received<PeersAnswer>(
      try ask(Request(method: Command.peers.name, parameters: [:])).json
    )
    let damage = answer.damage.map { message in
      let message = "this library is damaged: \(message)"
      return APIError(StoreError(code: .corrupt, message: message).corrupt)
    }
    return (answer.peers.map(\.standing), damage)
  }

  private func leave(_ url: String) throws(APIError) {
    _ = try ask(Request(method: Command.leave.name, parameters: ["peer": JSON(url)]))
  }

  private func answer(_ url: String, _ grant: Grant) throws(APIError) -> JSON {
    let palettes = try palettes().filter {
      grant.palette == nil || grant.palette?.description == $0.id
    }
    return [
      "peer": .string(url), "role": .string(grant.role.rawValue),
      "palettes": .array(palettes.map(\.json)),
      "colors": JSON(palettes.reduce(0) { $0 + ($1.count ?? 0) }),
    ]
  }

  /// All palettes: an answer has a part of them where they are very many.
  private func palettes() throws(APIError) -> [Received<PaletteAnswer>] {
    var palettes: [Received<PaletteAnswer>] = []
    var parameters: JSON = [:]
    while true {
      let answer = try ask(Request(method: Command.palettes.name, parameters: parameters)).json
      let page = Received<PalettesAnswer>(answer)
      palettes += page.palettes
      guard page.hasMore, let last = page.palettes.last else { return palettes }
      parameters = ["after": .string(last.id)]
    }
  }
}
