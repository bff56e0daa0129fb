internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// Carries out calls of the RPC API, as far as the rights of whoever calls go.
final class Calls {
  private let library: OpenLibrary
  private let core: NodeCore
  private let watching: Watching
  private let presence: PresenceNews
  private let metrics: NodeMetrics
  /// Sends a client news of a call that it waits for, at once.
  private let tell: ([UInt8], ConnectionID) -> Void
  private let log: (NodeLog) -> Void
  /// Called when rights were taken back.
  var onRevoked: () -> Void = {}
  /// Called when history was compacted.
  var onCompacted: () -> Void = {}

  private var store: ChangeStore { library.store }

  init(
    _ library: OpenLibrary,
    _ core: NodeCore,
    _ watching: Watching,
    _ presence: PresenceNews,
    _ metrics: NodeMetrics,
    tell: @escaping ([UInt8], ConnectionID) -> Void,
    log: @escaping (NodeLog) -> Void
  ) {
    self.library = library
    self.core = core
    self.watching = watching
    self.presence = presence
    self.metrics = metrics
    self.tell = tell
    self.log = log
  }

  /// Prepares the pieces of a call, if its caller has the right to it.
  func admit(
    _ call: RPCCall,
    _ rights: CallerRights
  ) throws(RPCError) -> (method: Command, parameters: JSONObject) {
    guard !rights.haveEnded else { throw .notAllowed("the token is not valid now") }
    let method = try CommandTable.method(named: call.method)
    if store.hasSharedLog, let way = method.traits.wayInFleets {
      throw RPCError(
        APIError(
          code: "not-here",
          message: "'\(method.name)' is nothing that a library of a fleet does",
          hint: way
        )
      )
    }
    guard let access = method.access, rights.allows(access) else {
      throw .notAllowed(Self.refusal(of: method))
    }
    if method.effect.edits, let member = rights.member { try checkQuota(of: member) }
    try method.check(call.parameters)
    return (method, try scoped(call.parameters, of: method, to: rights))
  }

  /// Carries out one call.
  func answer(
    _ call: RPCCall,
    from id: ConnectionID,
    _ rights: CallerRights,
    piece: RequestPiece?
  ) throws(RPCError) -> any Answer {
    let method: Command
    let parameters: JSONObject
    do throws(RPCError) {
      (method, parameters) = try admit(call, rights)
    } catch {
      return try takeBack(call, piece, of: rights.member, because: error)
    }
    switch method.name {
    case Command.paletteWatch.name: return try watch(call, parameters, by: id, rights.member)
    case Command.paletteUnwatch.name: return try unwatch(call, parameters, by: id)
    case Command.palettePresent.name: return try present(call, parameters, by: id, rights)
    case Command.libraryWatch.name:
      return try watchLibrary(call, parameters, by: id, within: rights.trust.scope)
    default: break
    }
    do throws(APIError) {
      let prepared = try call.prepared?.get()
      let number = piece?.number ?? 0
      let own = PreparedCall.parameters(parameters, ofPiece: number)
      let request = Request(method: method.name, parameters: .object(own))
      if call.wantsProgress, let callID = call.id {
        library.progress = CallProgress(callID, piece: piece) { [tell] notice in tell(notice, id) }
      }
      var isFinished = true
      defer {
        library.progress = nil
        switch isFinished ? method.traits.consequence : nil {
        case .accessTaken: onRevoked()
        case .historyCompacted:
          core.forgetQuotas()
          onCompacted()
        case nil: break
        }
      }
      let answer = try library.answer(
        request,
        by: AuthorID(rights.member),
        prepared: prepared.map { $0[number] }
      )
      isFinished = !(answer is Unfinished)
      logGrant(method, parameters, answer, by: rights.member)
      return answer
    } catch {
      throw RPCError(error)
    }
  }

  /// Refuses a call; what was written of it already, while its caller might, is taken back in steps.
  private func takeBack(
    _ call: RPCCall,
    _ piece: RequestPiece?,
    of member: Member?,
    because refusal: RPCError
  ) throws(RPCError) -> any Answer {
    let pieces = (try? call.prepared?.get()) ?? []
    let number = piece?.number ?? 0
    guard number < pieces.count, pieces[number].fail(refusal.cause) else { throw refusal }
    let request = Request(method: call.method, parameters: .object(call.parameters))
    do throws(APIError) {
      return try library.answer(request, by: AuthorID(member), prepared: pieces[number])
    } catch {
      throw RPCError(error)
    }
  }

  // MARK: Calls about the connection

  private func watch(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID,
    _ member: Member?
  ) throws(RPCError) -> any Answer {
    let palette = try watchedPalette(call, parameters)
    let snapshot = try watching.watch(palette, by: id, AuthorID(member))
    presence.watched(palette.id)
    return ReceivedAnswer(snapshot)
  }

  private func unwatch(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID
  ) throws(RPCError) -> any Answer {
    let palette = try watchedPalette(call, parameters)
    watching.unwatch(palette.id, by: id)
    return ReceivedAnswer(JSON.object(["unwatched": .string(palette.id.description)]).bytes)
  }

  private func present(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID,
    _ rights: CallerRights
  ) throws(RPCError) -> any Answer {
    let palette = try watchedPalette(call, parameters).id
    do {
      let name = try Parameters(.object(parameters)).name("name")
      let selection = try parameters["selection"]?.stringValue.map {
        try store.listedColor($0, in: palette)
      }
      return ReceivedAnswer(
        presence.state(
          name,
          at: palette,
          selection: selection,
          by: id,
          rights.member,
          following: parameters["follow"]?.stringValue.map { ($0, rights.trust.scope) }
        )
      )
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  private func watchLibrary(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID,
    within scope: Scope
  ) throws(RPCError) -> any Answer {
    try checkIsAlone(call)
    let limit = parameters["limit"]?.intValue.map { max(0, $0) }
    let after = parameters["after"]?.stringValue.flatMap { PaletteID($0) }
    let order = parameters["order"]?.stringValue ?? "name"
    guard let order = LibraryWatch<ConnectionID>.ListOrder(rawValue: order) else {
      throw .invalidParameters("'\(order)' is no order: it is 'name' or 'edited'")
    }
    return ReceivedAnswer(
      try watching.watchLibrary(
        by: id,
        within: scope,
        limit: limit,
        after: after,
        order: order
      )
    )
  }

  private func watchedPalette(
    _ call: RPCCall,
    _ parameters: JSONObject
  ) throws(RPCError) -> PaletteSummary {
    try checkIsAlone(call)
    do {
      return try store.visiblePalette(parameters["palette"]?.stringValue ?? "")
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  private func checkIsAlone(_ call: RPCCall) throws(RPCError) {
    guard !call.isInBatch else {
      throw .invalidRequest("'\(call.method)' cannot be part of a batch")
    }
  }

  // MARK: Rights

  /// Writes of a member wait while it has written its share, or there is no room.
  private func checkQuota(of member: Member) throws(RPCError) {
    guard (try? core.hasToWait(member.id)) == true else { return }
    metrics.delayed()
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

  // MARK: The log

  /// Tells the log who let somebody in, or took that back, and whom this library joins or leaves.
  private func logGrant(
    _ method: Command,
    _ parameters: JSONObject,
    _ answer: any Answer,
    by member: Member?
  ) {
    guard let logged = method.traits.logged, let event = LogEvent(rawValue: logged.event),
      let answer = try? answer.json
    else { return }
    // Nothing else: answers hold secrets, and so do a join's parameters.
    let fields = ["name", "role", "palette", "expires", "id", "peer", "revoked", "left"].compactMap
    {
      key -> (key: String, value: JSON)? in
      let value = answer[key].isNull ? parameters[key] ?? nil : answer[key]
      return value.stringValue.map { (key: key, value: JSON($0)) }
    }
    let whose =
      method.traits.consequence == .accessTaken
      ? holder(of: answer["revoked"].stringValue ?? "") : []
    let by = member.map { $0.name.isEmpty ? $0.uid : "\($0.uid) (\($0.name))" } ?? "owner"
    log(NodeLog(.info, event, logged.text, [("by", JSON(by))] + fields + whose))
  }

  /// The member to whom something was granted, for the log: by the id of the grant or its own.
  private func holder(of uid: String) -> [(key: String, value: JSON)] {
    let grants = (try? store.members.grants()) ?? []
    guard let found = grants.first(where: { $0.grant.uid == uid || $0.member?.uid == uid }) else {
      return []
    }
    let name = found.member?.name ?? found.grant.name ?? ""
    let fields: [(key: String, value: String)] = [
      ("member", found.member?.uid ?? ""), ("name", name),
    ]
    return fields.filter { !$0.value.isEmpty }.map { ($0.key, JSON($0.value)) }
  }
}
