internal import PaletteFormats
internal import PaletteModel
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
    guard rights.role.pushesOwn || message.bytes.count <= Self.readerMessageLimit else {
      return loop.close(id, code: .messageTooBig)
    }
    guard loop.queuedBytes(of: id) <= Self.backlogLimit else {
      metrics.overflows += 1
      return loop.close(id, code: .tryAgainLater)
    }
    let request = RPCRequest(parsing: message.bytes)
    let answers = RPCAnswers(to: request)
    for entry in request.entries {
      requests.add(
        PendingRequest(entry: entry, answers: answers, rights: rights),
        cost: 1,
        from: id,
        at: store.nowMilliseconds
      )
    }
    // Whoever asks faster than it is answered is read no further, and so has to wait as well.
    if requests.count(of: id) >= Self.requestLimit { loop.pause(id) }
    scheduleTurn()
  }

  /// Lets a client send messages as long as its role needs them.
  func limitMessages(of id: ConnectionID, token: String) {
    let isReader = rights(ofToken: token)?.role.pushesOwn != true
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
      guard rights(ofToken: token) == nil else {
        limitMessages(of: id, token: token)
        continue
      }
      forget(id)
      clients[id] = nil
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
    _ rights: CallerRights
  ) throws(RPCError) -> Reply {
    let method = try RPCMethodTable.method(named: call.method)
    guard rights.allows(method.access) else { throw .notAllowed(Self.refusal(of: method)) }
    try method.check(call.parameters)
    let parameters = try scoped(call.parameters, of: method, to: rights)
    switch method.name {
    case "palette.watch": return .document(try watch(call, parameters, by: id))
    case "palette.unwatch": return .document(try unwatch(call, parameters, by: id))
    case "palette.present": return .document(try present(call, parameters, by: id))
    case "library.watch":
      return .document(try watchLibrary(call, by: id, within: rights.palette))
    default: break
    }
    do throws(APIError) {
      let request = Request(method: method.name, parameters: Document(.object(parameters)))
      defer { if method.name == "revoke" { checkRights() } }
      return try library.reply(to: request)
    } catch {
      throw RPCError(error)
    }
  }

  private static func refusal(of method: RPCMethod) -> String {
    switch method.access {
    case .local: "'\(method.name)' works only through the socket on the node's own machine"
    case .owner: "'\(method.name)' is for owners"
    case .editor, .viewer: "'\(method.name)' is for editors, and this token only reads"
    }
  }

  /// The parameters with the palette by its id, where the caller may know only one palette.
  ///
  /// Nothing about other palettes may be learned, so names are compared with that one alone.
  func scoped(
    _ parameters: JSONObject,
    of method: RPCMethod,
    to rights: CallerRights
  ) throws(RPCError) -> JSONObject {
    guard let palette = rights.palette, method.name != "library.watch" else { return parameters }
    guard method.isAboutOnePalette, let argument = parameters["palette"]?.stringValue else {
      throw .notAllowed("'\(method.name)' is about the whole library, and this token is not")
    }
    var name: String?
    do {
      name = try store.summary(of: palette)?.name
    } catch {
      throw RPCError(APIError(error))
    }
    let candidate = Lookup.Candidate(id: palette.record, name: name ?? "")
    guard !Lookup.palette.matches(of: argument, among: [candidate]).isEmpty else {
      throw RPCError(
        APIError(code: "not-found", message: "there is no palette '\(argument)' for this token")
      )
    }
    var parameters = parameters
    parameters["palette"] = .string(palette.description)
    return parameters
  }
}
