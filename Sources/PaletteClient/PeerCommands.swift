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

  /// `join CODE`: waits for the first catch-up.
  func join(_ request: Request) throws(APIError) -> JSON {
    let grant = try JoinCode(request.parameters["code"].stringValue ?? "").grant
    // From here on an interruption ends the work and not the process, so that it is always said
    // whether the peer is joined: by the first look at it, which is told of the interruption again.
    try? progress(Progress("Connecting"))
    let url = try ask(request).json["peer"].stringValue ?? ""
    var lastError: String?
    var progress = SyncProgress()
    var pause = Pause()
    var deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
    while true {
      let state = try peers()
      guard let peer = state.peers.first(where: { $0["url"].stringValue == url }) else { break }
      lastError = peer["error"].stringValue ?? lastError
      if peer["state"].stringValue == "refused" {
        try leave(url)
        let code = Self.refusalCode(peer)
        throw APIError(
          code: code,
          message: "\(url) refuses: "
            + (lastError.map(PeerState.words(ofError:)) ?? "the code is not valid"),
          hint: code == "incompatible"
            ? nil : "a join code works once, and for a limited time; ask for another one"
        )
      }
      if peer["state"].stringValue == "live", peer["caughtUp"].boolValue == true {
        return try answer(peer, grant)
      }
      if let damage = state.damage { throw damage }
      // Whoever answers there is not the node of the code, and will not become it.
      if peer["unreachable"].boolValue == true, Self.isOfAnotherKey(lastError) { break }
      if peer["state"].stringValue == "live" {
        // Patience is for a peer that cannot be reached, not for one that has much to send.
        deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
      }
      try reportJoining(peer, &progress)
      guard Platform.uptime < deadline else { break }
      pause.wait()
    }
    try leave(url)
    throw APIError(
      code: "unreachable",
      message: "\(url) cannot be reached: \(lastError ?? "no answer")",
      hint: Self.isOfAnotherKey(lastError)
        ? "another node answers there, or the key of this one was changed: see that the node runs "
          + "there, and ask for a new code"
        : "see that the node runs there, and that its address can be reached from here"
    )
  }

  /// Returns whether a peer's error says that its key is not that of the join code.
  private static func isOfAnotherKey(_ error: String?) -> Bool {
    error?.contains("not the pinned one") == true
  }

  /// `sync`: waits until every peer that can be reached holds everything.
  func sync(_ request: Request) throws(APIError) -> JSON {
    let before = try pending()
    let received = try receivedChanges(request)
    var deadline = Platform.uptime + Double(patienceMilliseconds) / 1_000
    var lastLeft = 0
    var peers: [JSON] = []
    var progress = SyncProgress()
    var pause = Pause()
    while true {
      let state = try self.peers()
      peers = state.peers
      if let damage = state.damage, !peers.allSatisfy(Self.isInSync) { throw damage }
      let left = Self.left(peers)
      let leftOfLive = Self.left(peers.filter { $0["state"].stringValue == "live" })
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
            ? "no peer has answered yet" : "\(left) changes are still to be exchanged",
          hint: "nothing is lost; 'hued sync' goes on where it stopped"
        )
      }
      pause.wait()
    }
    let pending = try pending()
    for peer in peers where peer["state"].stringValue != "live" {
      let refuses = peer["state"].stringValue == "refused"
      throw APIError(
        code: refuses ? Self.refusalCode(peer) : "unreachable",
        message: "\(peer["url"].stringValue ?? "a peer") "
          + (refuses ? "refuses this library" : "is unreachable")
          + (peer["error"].stringValue.map { ": \(PeerState.words(ofError: $0))" } ?? ""),
        hint: Self.hint(pending: pending, refusal: refuses ? Self.refusalCode(peer) : nil)
      )
    }
    return JSON([
      (key: "sent", value: JSON(max(0, before - pending))),
      (key: "received", value: JSON(try receivedChanges(request) - received)),
      (key: "pending", value: JSON(pending)),
    ])
  }

  /// Explains what happens to changes that a peer has not accepted, and what to do.
  private static func hint(pending: Int, refusal: String?) -> String? {
    let waiting = pending == 1 ? "1 change waits" : "\(pending) changes wait"
    if let refusal, refusal != "incompatible" {
      return (pending > 0 ? "\(waiting) here; " : "")
        + "ask whoever runs it for a new code, then 'hued join CODE'"
    }
    guard pending > 0 else { return nil }
    return "\(waiting) here until " + (refusal == nil ? "it is back" : "both are of one version")
  }

  /// The protocol's code of a peer's refusal, which stands before the reason.
  private static func refusalCode(_ peer: JSON) -> String {
    let word = peer["error"].stringValue?.prefix { $0 != ":" }
    return word == "incompatible" ? "incompatible" : "not-allowed"
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
  private func reportJoining(_ peer: JSON, _ progress: inout SyncProgress) throws(APIError) {
    let isLive = peer["state"].stringValue == "live"
    let left = isLive ? peer["toCome"].intValue ?? 0 : 0
    do throws(APIError) {
      try report(isLive ? "Joining" : "Connecting", left: left, &progress)
    } catch {
      let url = peer["url"].stringValue ?? "the node"
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
  private static func left(_ peers: [JSON]) -> Int {
    peers.reduce(0) { $0 + ($1["toCome"].intValue ?? 0) + ($1["pending"].intValue ?? 0) }
  }

  /// Returns whether nothing more is to be expected of a peer.
  private func isSettled(_ peer: JSON) -> Bool {
    switch peer["state"].stringValue {
    case "refused": true
    case "live": Self.isInSync(peer)
    default: givesUpEarly && peer["unreachable"].boolValue == true
    }
  }

  private static func isInSync(_ peer: JSON) -> Bool {
    peer["state"].stringValue == "live" && peer["caughtUp"].boolValue == true
      && peer["pending"].intValue == 0
  }

  private func receivedChanges(_ request: Request) throws(APIError) -> Int {
    try ask(Request(method: "sync", parameters: [:])).json["received"].intValue
      ?? 0
  }

  /// The number of changes of this library peers do not hold yet.
  private func pending() throws(APIError) -> Int {
    // No palette is asked for: there may be very many.
    try ask(Request(method: "status", parameters: ["limit": 0])).json["pending"].intValue ?? 0
  }

  /// The state of each peer, and the damage that makes waiting pointless; cheaper than `status`.
  private func peers() throws(APIError) -> (peers: [JSON], damage: APIError?) {
    let answer = try ask(Request(method: "peers", parameters: [:])).json
    let damage = answer["damage"].stringValue.map { message in
      let message = "this library is damaged: \(message)"
      return APIError(StoreError(code: .corrupt, message: message).corrupt)
    }
    return (answer["peers"].arrayValue ?? [], damage)
  }

  private func leave(_ url: String) throws(APIError) {
    _ = try ask(Request(method: "leave", parameters: ["peer": JSON(url)]))
  }

  private func answer(_ peer: JSON, _ grant: Grant) throws(APIError) -> JSON {
    let palettes = try palettes().filter {
      grant.palette == nil || grant.palette?.description == $0["id"].stringValue
    }
    let colors = palettes.reduce(0) { $0 + ($1["count"].intValue ?? 0) }
    let keys = ["id", "name", "count", "digest"]
    let summaries = palettes.map { palette in
      JSON(keys.map { (key: $0, value: palette[$0] ?? .null) })
    }
    return [
      "peer": peer["url"] ?? .null, "role": .string(grant.role.rawValue),
      "palettes": .array(summaries), "colors": JSON(colors),
    ]
  }

  /// All palettes: an answer has a part of them where they are very many.
  private func palettes() throws(APIError) -> [JSON] {
    var palettes: [JSON] = []
    var parameters: JSON = [:]
    while true {
      let page = try ask(Request(method: "palettes", parameters: parameters)).json
      palettes += page["palettes"].arrayValue ?? []
      guard page["more"].boolValue == true, let last = page["palettes"].arrayValue?.last?["id"]
      else { return palettes }
      parameters = ["after": last]
    }
  }
}

/// The pause before looking again: looking often costs as much as the work itself, when that takes
/// long.
private struct Pause {
  private var microseconds: UInt32 = 10_000

  mutating func wait() {
    usleep(microseconds)
    microseconds = min(microseconds * 11 / 10, 100_000)
  }
}
