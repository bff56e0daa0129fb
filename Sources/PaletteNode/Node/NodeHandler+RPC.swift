internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

extension NodeHandler {
  /// A message of the RPC API has arrived: it waits for its turn.
  func receive(_ message: Message, on id: ConnectionID, token: String?) {
    let known = if let token { rights(ofToken: token) } else { CallerRights.local }
    guard let rights = known else {
      return loop.close(id, code: CloseCode(rawValue: 4401), reason: "the token is not valid now")
    }
    guard message.kind == .text else {
      return loop.close(id, code: CloseCode(rawValue: 1003), reason: "JSON comes as text")
    }
    guard rights.trust.edits(nil) || message.bytes.count <= Self.readerMessageLimit else {
      return loop.close(id, code: .messageTooBig)
    }
    guard loop.queuedBytes(of: id) <= Self.backlogLimit else {
      metrics.overflows += 1
      return loop.close(id, code: .tryAgainLater)
    }
    // What came before is still being read.
    if let waiting = unread[id] {
      let bytes = waiting.reduce(message.bytes.count) { $0 + $1.bytes.count }
      guard bytes <= NodeRoute.rpcLimit else {
        metrics.overflows += 1
        return loop.close(id, code: .tryAgainLater)
      }
      unread[id]?.append(message)
      return loop.pause(id)
    }
    let mayPrepare = rights.allows(.editor)
    guard message.bytes.count <= Self.readHereLimit else {
      return readBeside(message.bytes.count, on: id, rights) {
        var request = RPCRequest(parsing: message.bytes)
        if mayPrepare { request.prepare() }
        return request
      }
    }
    let request = RPCRequest(parsing: message.bytes)
    guard mayPrepare, request.needsPreparation else { return add(request, from: id, rights) }
    readBeside(message.bytes.count, on: id, rights) {
      var request = request
      request.prepare()
      return request
    }
  }

  /// The longest message that is read on the loop.
  private static let readHereLimit = 64 << 10

  /// Has a message read beside the loop; what comes after it on its connection waits.
  private func readBeside(
    _ bytes: Int,
    on id: ConnectionID,
    _ rights: CallerRights,
    _ read: @escaping @Sendable () -> RPCRequest
  ) {
    let isTaken = loop.perform(holding: bytes, read) { [weak self] request in
      self?.haveRead(request, on: id, rights)
    }
    guard isTaken else {
      metrics.overflows += 1
      return loop.close(id, code: .tryAgainLater)
    }
    unread[id] = []
    loop.pause(id)
  }

  /// A message has been read beside the loop, and so it is the turn of those behind it.
  private func haveRead(_ request: RPCRequest, on id: ConnectionID, _ rights: CallerRights) {
    guard let waiting = unread.removeValue(forKey: id), case .rpc(let token)? = clients[id] else {
      return
    }
    loop.resume(id)
    add(request, from: id, rights)
    for message in waiting { receive(message, on: id, token: token) }
  }

  /// Has the calls of a message wait for their turn.
  private func add(_ request: RPCRequest, from id: ConnectionID, _ rights: CallerRights) {
    let answers = RPCAnswers(to: request)
    for entry in request.entries {
      let pending = PendingRequest(entry: entry, answers: answers, rights: rights)
      for piece in pending.pieces {
        requests.add(piece, cost: 1, from: id, at: store.nowMilliseconds)
      }
    }
    // Whoever asks faster than it is answered is read no further, and so has to wait as well.
    if requests.count(of: id) >= Self.requestLimit { loop.pause(id) }
    scheduleTurn()
  }

  /// Lets a client send messages as long as its role needs them.
  func limitMessages(of id: ConnectionID, token: String) {
    let isReader = rights(ofToken: token)?.trust.edits(nil) != true
    loop.limit(
      id,
      to: ReceiveLimits(
        messageBytes: isReader ? Self.readerMessageLimit : NodeRoute.rpcLimit,
        sender: token,
        unfinishedBytes: isReader ? Self.unfinishedLimits.reader : Self.unfinishedLimits.editor
      )
    )
  }

  /// Disconnects everyone whose token has been revoked or has expired.
  func checkRights() {
    storedTokens.beginAsking()
    for case (let id, .rpc(let token?)) in clients {
      // Whoever has other rights than when it came would go on to watch what it may no longer see.
      if let now = rights(ofToken: token)?.trust, now == trusts[id] { continue }
      forget(id)
      clients[id] = nil
      trusts[id] = nil
      loop.close(id, code: CloseCode(rawValue: 4401), reason: "the token is not valid now")
    }
  }

  /// Looks after tokens that expire while somebody is connected; where none can have, it costs nothing.
  func scheduleRightsCheck() {
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      if storedTokens.hasNews { checkRights() }
      scheduleRightsCheck()
    }
  }

  /// Carries out one call.
  func answer(
    _ call: RPCCall,
    from id: ConnectionID,
    _ rights: CallerRights,
    piece: RequestPiece? = nil
  ) throws(RPCError) -> any Answer {
    let method = try CommandTable.method(named: call.method)
    guard let access = method.access, rights.allows(access) else {
      throw .notAllowed(Self.refusal(of: method))
    }
    if method.effect.edits, let member = rights.member { try checkQuota(of: member) }
    try method.check(call.parameters)
    let parameters = try scoped(call.parameters, of: method, to: rights)
    switch method.name {
    case Command.paletteWatch.name: return ReceivedAnswer(try watch(call, parameters, by: id))
    case Command.paletteUnwatch.name: return ReceivedAnswer(try unwatch(call, parameters, by: id))
    case Command.palettePresent.name:
      return ReceivedAnswer(try present(call, parameters, by: id, rights.member))
    case Command.libraryWatch.name:
      let scope = rights.trust.scope
      return ReceivedAnswer(try watchLibrary(call, parameters, by: id, within: scope))
    default: break
    }
    do throws(APIError) {
      let prepared = try call.prepared?.get()
      let number = piece?.number ?? 0
      let own = PreparedCall.parameters(parameters, ofPiece: number)
      let request = Request(method: method.name, parameters: .object(own))
      if call.wantsProgress, let callID = call.id {
        library.progress = CallProgress(callID, piece: piece) { [unowned self] notice in
          send(notice, to: id)
          loop.flush(id)
        }
      }
      defer {
        library.progress = nil
        if method.name == Command.revoke.name { checkRights() }
        if method.name == Command.compact.name { sync.core.forgetQuotas() }
      }
      let answer = try library.answer(
        request,
        by: AuthorID(rights.member),
        prepared: prepared.map { $0[number] }
      )
      logGrant(method, parameters, answer, by: rights.member)
      return answer
    } catch {
      throw RPCError(error)
    }
  }

  /// Tells the log who let somebody in, or took that back, and whom this library joins or leaves.
  private func logGrant(
    _ method: Command,
    _ parameters: JSONObject,
    _ answer: any Answer,
    by member: Member?
  ) {
    guard let (event, text) = Self.logged[method], let answer = try? answer.json else { return }
    // Nothing else: answers hold secrets, and so do a join's parameters.
    let fields = ["name", "role", "palette", "expires", "id", "peer", "revoked", "left"].compactMap
    {
      key -> (key: String, value: JSON)? in
      let value = answer[key].isNull ? parameters[key] ?? nil : answer[key]
      return value.stringValue.map { (key: key, value: JSON($0)) }
    }
    let by = member.map { $0.name.isEmpty ? $0.uid : "\($0.uid) (\($0.name))" } ?? "owner"
    settings.log(NodeLog(.info, event, text, [("by", JSON(by))] + fields))
  }

  private static let logged: [Command: (event: LogEvent, text: String)] = [
    .share: (.share, "shared"), .token: (.token, "made a token"), .revoke: (.revoke, "revoked"),
    .join: (.join, "joins a peer"), .leave: (.leave, "left a peer"),
    .open: (.link, "made a link to the page"),
  ]

  /// Writes of a member wait while it has written its share, or there is no room.
  private func checkQuota(of member: Member) throws(RPCError) {
    guard (try? sync.core.hasToWait(member.id)) == true else { return }
    metrics.delays += 1
    throw RPCError(
      APIError(
        code: "over-quota",
        message: "this node takes no more edits of '\(member.name)' for now",
        hint: "ask its owner for more room; then send the edit again"
      )
    )
  }

  private static func refusal(of method: Command) -> String {
    switch method.access {
    case .local: "'\(method.name)' works only through the socket on the node's own machine"
    case .owner: "'\(method.name)' is for owners"
    case .editor, .viewer, nil: "'\(method.name)' is for editors, and this token only reads"
    }
  }

  /// The parameters with the palette by its id, where the caller may not do the same with all.
  ///
  /// Nothing about other palettes may be learned, so names are compared with those in scope alone.
  func scoped(
    _ parameters: JSONObject,
    of method: Command,
    to rights: CallerRights
  ) throws(RPCError) -> JSONObject {
    let trust = rights.trust
    if trust.reads(nil), method.access != .editor || trust.editsAll { return parameters }
    if method.isWithinAnyScope { return parameters }
    guard method.isAboutOnePalette, let argument = parameters["palette"]?.stringValue else {
      throw .notAllowed("'\(method.name)' is about the whole library, and this token is not")
    }
    let palette: PaletteID
    do {
      palette = try find(argument, within: trust.scope)
    } catch let error as APIError {
      throw RPCError(error)
    } catch {
      throw RPCError(APIError(any: error))
    }
    guard method.access != .editor || trust.edits(palette) else {
      throw .notAllowed(Self.refusal(of: method))
    }
    var parameters = parameters
    parameters["palette"] = .string(palette.description)
    return parameters
  }

  private func find(_ argument: String, within scope: Scope) throws -> PaletteID {
    guard case .palettes(let palettes) = scope else { return try store.visiblePalette(argument).id }
    var candidates: [Lookup.Candidate] = []
    for palette in palettes.sorted() {
      let name = try store.summary(of: palette)?.name
      candidates.append(Lookup.Candidate(id: palette.record, name: name ?? ""))
    }
    let found = Lookup.palette.matches(of: argument, among: candidates)
    guard let first = found.first else {
      throw APIError(code: "not-found", message: "there is no palette '\(argument)' for this token")
    }
    guard found.count == 1 else {
      throw APIError(code: "ambiguous", message: "'\(argument)' fits \(found.count) palettes")
    }
    return PaletteID(candidates[first].id)
  }
}
