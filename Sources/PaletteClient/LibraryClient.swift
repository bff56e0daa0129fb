public import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteNode
internal import PaletteStore

/// The library at a location: through the node that has it open, or in this process.
///
/// Edits through a node reach everyone who watches and syncs at once.
public struct LibraryClient: LibraryAPI {
  private let location: LibraryLocation
  private let note: (String) -> Void
  private let progress: ProgressReport

  /// The time that a node which ends may still hold its library.
  private static let longestEndingSeconds = 15

  /// The time that peers may take, and whether it ends as soon as each was tried in vain.
  private struct Patience {
    let milliseconds: Int
    var givesUpEarly = false

    /// The one of a command about peers.
    static let usual = Patience(milliseconds: 15_000)
    /// The one of somebody who asked to wait.
    static let long = Patience(milliseconds: 7 * 86_400_000)
    /// The one of a command that is carried out without the peers, too.
    static let short = Patience(milliseconds: 2_000, givesUpEarly: true)
  }

  /// Creates the API of the library at a location; nothing is opened or made yet.
  ///
  /// - Parameters:
  ///   - location: Where the library is.
  ///   - note: Receives the outcome of an edit that peers are to get.
  ///   - progress: Receives the progress of long work; what it throws ends the work.
  public init(
    at location: LibraryLocation,
    note: @escaping (String) -> Void = { _ in },
    progress: @escaping ProgressReport = { _ in }
  ) {
    self.location = location
    self.note = note
    self.progress = progress
  }

  /// Answers one request.
  public func call(_ request: Request) throws(APIError) -> any Answer {
    let command = CommandTable.command(named: request.method)
    guard let command, command.effect != .fact else {
      return try FolderAccess(location: location).answer(request)
    }
    switch command.traits.clientPart {
    case .joining: return try join(request)
    case .syncing:
      let isPatient = request.parameters["wait"].boolValue == true
      return try callPeers(isPatient ? .long : .usual) { peers throws(APIError) in
        let (answer, waiting) = try peers.sync()
        if let waiting { note(waiting) }
        return answer
      }
    case .leaving: return try leave(request)
    case .linking: return try link(request)
    case .sharing: return try share(command, request)
    case nil: break
    }
    if command.readsInOwnProcess(request.parameters) {
      return try FolderAccess(location: location, note: note, progress: progress).answer(request)
    }
    guard command.effect.edits else { return try carryOut(command, request, asking: request) }
    return try makeOnce(command, request)
  }

  /// Makes an edit, and makes it again where its node ends before it answers.
  ///
  /// The edit that a node is asked for has a name, under which it is made once.
  private func makeOnce(_ command: Command, _ request: Request) throws(APIError) -> any Answer {
    var parameters = request.parameters.objectValue ?? [:]
    if parameters["edit"] == nil { parameters["edit"] = JSON("\(RecordID())") }
    let named = Request(method: request.method, parameters: .object(parameters))
    do throws(APIError) {
      return try carryOut(command, request, asking: named)
    } catch  where error == NodeConnection.ended {
      return try makeAgain(command, named)
    }
  }

  /// Makes an edit again that has a name, once the node that was asked for it has ended.
  private func makeAgain(_ command: Command, _ named: Request) throws(APIError) -> any Answer {
    let end = ContinuousClock.now + .seconds(Self.longestEndingSeconds)
    var pause = Pause()
    while true {
      do throws(APIError) {
        let answer = try carryOut(command, named, asking: named)
        if try answer.json["repeated"] == true { note("the node made the edit before it ended") }
        return answer
      } catch {
        // A node that is about to end still holds the library.
        guard error.code == "locked" || error == NodeConnection.ended, ContinuousClock.now < end
        else { throw error }
        pause.wait()
      }
    }
  }

  /// Carries a request out through the node, asked in its own words, or in this process where none runs.
  private func carryOut(
    _ command: Command,
    _ request: Request,
    asking asked: Request
  ) throws(APIError) -> any Answer {
    do {
      if let node = try NodeConnection(home: location.home) { return try ask(node, asked) }
    } catch {
      // Whoever only asks may ask the file of a node that is stopped, or has just ended.
      guard [NodeConnection.silent, NodeConnection.ended].contains(error),
        command.effect.onlyReads
      else { throw error }
      if error == NodeConnection.silent {
        note("\(error.message), so this is what its file says; is it stopped?")
      }
      return try FolderAccess(location: location, note: note, progress: progress)
        .answer(request)
    }
    do {
      if lacksHistory(request) { fetchHistory(request) }
      let library = FolderAccess(location: location, note: note, progress: progress)
      let answer = try library.answer(request)
      if command.effect.edits,
        library.close(afterEditing: request.parameters["palette"].stringValue)
      {
        pushEdit()
      }
      return answer
    } catch {
      // A node that was just starting holds the lock before it listens.
      guard error.code == "locked", let node = try NodeConnection(home: location.home) else {
        throw error
      }
      return try ask(node, asked)
    }
  }

  private func ask(_ node: NodeConnection, _ request: Request) throws(APIError) -> any Answer {
    guard CommandTable.command(named: request.method)?.traits.needsNoNode != true else {
      throw APIError(
        code: "locked",
        message: "a node has the library open: \(location.home)",
        hint: "end it, then recover"
      )
    }
    do throws(APIError) {
      let answer = try node.call(request, report: progress)
      if CommandTable.command(named: request.method)?.effect.edits == true { tellUnsent(node) }
      return answer
    } catch {
      guard error == .interrupted, let command = CommandTable.command(named: request.method),
        !command.effect.onlyReads
      else { throw error }
      throw .interrupted(
        "the node finishes what it has begun, and drops the rest",
        hint: "look at what became of it before you repeat it"
      )
    }
  }

  /// Joins a peer, after a look at the code.
  private func join(_ request: Request) throws(APIError) -> any Answer {
    // Check the code before creating a library, and say what it grants before it is redeemed.
    let code = try JoinCode(request.parameters["code"].stringValue ?? "")
    try code.checkAddresses()
    note("joining \(SafeText.words(code.addresses[0])) as \(code.description)")
    return try callPeers(.usual) { peers throws(APIError) in try peers.join(request) }
  }

  /// Leaves a peer, which is to hear of it where it can be reached soon.
  private func leave(_ request: Request) throws(APIError) -> any Answer {
    guard (try? LibraryFolder(location.home).exists) == true else {
      return try FolderAccess(location: location, note: note).answer(request)
    }
    return try callPeers(.short) { peers throws(APIError) in
      let (answer, untold) = try peers.leave(request)
      if let untold, request.parameters["palette"].isNull {
        note(
          "\(untold) could not be told: it counts this library as a member until 'hued revoke' there"
        )
      }
      return answer
    }
  }

  /// Makes a join code, and reports where what its guests change cannot go on to a peer.
  private func share(_ command: Command, _ request: Request) throws(APIError) -> any Answer {
    let answer = try carryOut(command, request, asking: request)
    let shared = Received<SharedCode>(try answer.json)
    guard shared.code != nil, shared.role != Role.viewer.rawValue else { return answer }
    let request = Request(method: Command.peers.name)
    let peers = Received<PeersAnswer>(try? carryOut(.peers, request, asking: request).json).peers
    for peer in peers where peer.takesOnlyOwnChanges(of: shared.palette) {
      note(
        "what others change with this code stays on the machines that join here: \(peer.url) takes this "
          + "library's own changes alone; for theirs they need a code of an owner there"
      )
    }
    return answer
  }

  /// Carries out a command about peers through the node, or as a node that serves nobody.
  private func callPeers(
    _ patience: Patience,
    _ body: (PeerCommands) throws(APIError) -> JSON
  ) throws(APIError) -> any Answer {
    if let node = try NodeConnection(home: location.home) {
      let ask = { request throws(APIError) in try node.call(request) }
      return try body(peers(patience, ask))
    }
    return try withOwnNode { node throws(APIError) in try body(peers(of: node, patience)) }
  }

  /// Syncs, for a short while, as a node that serves nobody.
  ///
  /// - Returns: What still waits, with the reason; nil where nothing does.
  @discardableResult
  private func syncSoon(_ node: Node) throws(APIError) -> String? {
    try peers(of: node, .short).sync().waiting
  }

  private func peers(of node: Node, _ patience: Patience) -> PeerCommands {
    peers(patience) { request throws(APIError) in try node.call(request) }
  }

  private func peers(
    _ patience: Patience,
    _ ask: @escaping (Request) throws(APIError) -> any Answer
  ) -> PeerCommands {
    PeerCommands(
      ask: ask,
      patienceMilliseconds: patience.milliseconds,
      givesUpEarly: patience.givesUpEarly,
      progress: progress
    )
  }

  /// Links a file through the node, or, where none runs, makes file and palette say the same once.
  private func link(_ request: Request) throws(APIError) -> any Answer {
    let command = try LinkCommand(request)
    if let node = try NodeConnection(home: location.home) {
      return try link(command) { request throws(APIError) in try node.call(request) }
    }
    let answer = try withOwnNode(linksFiles: true) { node throws(APIError) in
      try link(command) { request throws(APIError) in try node.call(request) }
    }
    note("the two follow each other while a node runs; 'hued serve' runs one")
    // What was live with that node is paused from now on.
    let linked = Received<LinkAnswer>(try answer.json)
    guard linked.state.known == .live else { return answer }
    let links = try FolderAccess(location: location).answer(Request(method: Command.links.name))
    return Received<LinksAnswer>(try links.json).links.first { $0.file == linked.file }?.json
      ?? answer
  }

  /// Links a file, and reports what that changed in a palette that was there.
  private func link(
    _ command: LinkCommand,
    _ ask: (Request) throws(APIError) -> any Answer
  ) throws(APIError) -> any Answer {
    let start = Moment(milliseconds: systemMilliseconds()).description
    let answer = try command.carryOut(ask)
    let parameters: JSON = [
      "palette": JSON(Received<LinkAnswer>(try answer.json).palette), "actions": true, "limit": 20,
    ]
    let history = try? ask(Request(method: Command.history.name, parameters: parameters)).json
    let caller = Received<CallerAnswer>(try? ask(Request(method: Command.whoami.name)).json)
    // What others do meanwhile did not come from the file.
    let actions = (Received<HistoryPage>(history).actions ?? []).prefix { $0.time >= start }
      .filter { $0.node == caller.node }
    guard !actions.contains(where: { $0.kind.known == .title }) else { return answer }
    for action in actions.reversed() {
      note("the palette took from the file: \(action.summary)")
    }
    return answer
  }

  private func withOwnNode<Result>(
    linksFiles: Bool = false,
    _ body: (Node) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    var settings = NodeSettings()
    settings.isServing = false
    settings.linksFiles = linksFiles
    let closing = (try? LibraryFolder(location.home))?.noteOnClosing
    let node = try Node(at: location, settings: settings)
    defer { node.stop() }
    if let closing { note(closing) }
    return try body(node)
  }

  /// Lets the peers have an edit that was made without a node, for a short while.
  ///
  /// The edit is safe whatever comes of it.
  private func pushEdit() {
    do throws(APIError) {
      let waiting = try withOwnNode { node throws(APIError) in try syncSoon(node) }
      note(waiting.map { "saved; \($0)" } ?? "synced")
    } catch {
      let request = Request(method: Command.status.name, parameters: ["limit": 0])
      let status = try? FolderAccess(location: location).answer(request)
      let pending = Received<StatusAnswer>(try? status?.json).pending ?? 1
      // Another peer may have it all.
      guard pending > 0 else { return note("synced; \(error.message)") }
      note("saved; " + PeerCommands.waiting(pending, because: error.message))
    }
  }

  /// Reports that an edit waits at the node, where no peer that is to get it can be reached.
  ///
  /// Peers are asked for first: that costs the node less than a status, and mostly one is live.
  private func tellUnsent(_ node: NodeConnection) {
    let answer = try? node.call(Request(method: Command.peers.name, parameters: [:])).json
    let peers = Received<PeersAnswer>(answer).peers.map(\.standing)
    func takesEdits(_ peer: PeerStanding) -> Bool { peer.state == .live && peer.error == nil }
    guard let peer = peers.first, !peers.contains(where: takesEdits) else { return }
    let status = try? node.call(Request(method: Command.status.name, parameters: ["limit": 0])).json
    guard let pending = Received<StatusAnswer>(status).pending, pending > 0 else { return }
    let state = peer.state == .live ? nil : "\(peer.url) is \(peer.state.rawValue)"
    let reason = [state, peer.reason].compactMap(\.self).joined(separator: ": ")
    note("saved; " + PeerCommands.waiting(pending, because: reason))
  }

  /// Returns whether the past is asked for, and a peer may know more of it than this library does.
  private func lacksHistory(_ request: Request) -> Bool {
    guard let command = CommandTable.command(named: request.method), let past = command.traits.past,
      let store = try? FolderAccess(location: location).reading(),
      let palette = try? store.visiblePalette(request.parameters["palette"].stringValue ?? "").id,
      let since = try? store.historySince(of: palette), let peers = try? store.peers.all(),
      !peers.isEmpty
    else { return false }
    let now = Moment(milliseconds: store.nowMilliseconds)
    return past(Parameters(request.parameters), now).map { $0 < since } ?? false
  }

  /// Gets older history from a peer, if one can be reached soon; what is here is told without, too.
  private func fetchHistory(_ request: Request) {
    try? withOwnNode { node throws(APIError) in
      try syncSoon(node)
      node.fetchHistory(of: request.parameters["palette"].stringValue ?? "")
    }
  }
}

/// The progress of a catch-up: the amount still to come is known in advance.
struct SyncProgress {
  /// The changes that are exchanged already.
  private(set) var done = 0
  /// The changes that were to be exchanged, as far as is known by now.
  private(set) var total = 0

  /// Takes in how many changes are left; more may have come meanwhile.
  mutating func update(left: Int) {
    total = max(total, done + left)
    done = total - left
  }
}
