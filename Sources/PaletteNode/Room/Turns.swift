internal import PaletteCommands
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Turns: what has arrived is carried out together, committed once, and only then answered.
final class Turns {
  /// The time that one turn works through requests; what is left waits for the next one.
  private static let turnMilliseconds: Int64 = 20
  /// The same for those who had their share of the loop's time: then others are looked after.
  private static let restMilliseconds: Int64 = 5
  /// The number of calls of one client that wait before it is read no further.
  private static let requestLimit = 1_024
  /// The calls that one client may make in the long run, and at once; each costs one.
  private static let callLimits = FairLimits(perSecond: 10_000, burst: 20_000)

  private struct Answered {
    let client: ConnectionID
    let pending: PendingRequest
    let result: Result<any Answer, RPCError>

    /// The work to do before it goes on; nil when it is answered.
    var unfinished: Unfinished? { try? result.get() as? Unfinished }
  }

  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let sync: SyncShell
  private let clients: Clients
  private let calls: Calls
  private let slow: SlowCalls
  private let history: HistoryQuestions
  private let watching: Watching
  private let metrics: NodeMetrics
  private let commits: CommitReport
  private lazy var messages = MessageReader(loop, sync, clients) { [unowned self] in
    add($0, from: $1, $2)
  }
  /// The requests that are not carried out yet.
  private var requests = FairQueue<ConnectionID, PendingRequest>(limits: Turns.callLimits)
  /// The clients whose next request waits for work beside the loop.
  private var held: Set<ConnectionID> = []
  /// The time of the next turn; nil if nothing waits.
  private var nextTurn: TimerID?
  /// True if the next turn only waits for a limit to let something through.
  private var isTurnDelayed = false

  init(
    _ loop: EventLoop,
    _ store: ChangeStore,
    _ sync: SyncShell,
    _ clients: Clients,
    _ calls: Calls,
    _ slow: SlowCalls,
    _ history: HistoryQuestions,
    _ watching: Watching,
    _ metrics: NodeMetrics,
    _ commits: CommitReport
  ) {
    self.loop = loop
    self.store = store
    self.sync = sync
    self.clients = clients
    self.calls = calls
    self.slow = slow
    self.history = history
    self.watching = watching
    self.metrics = metrics
    self.commits = commits
  }

  /// True if no request waits or is being carried out; a turn that is due has nothing to do then.
  var isIdle: Bool { requests.isEmpty && held.isEmpty && messages.isIdle }

  // MARK: What arrives

  /// A message of the RPC API has arrived: once it is read, its calls wait for their turn.
  func receive(_ message: Message, on id: ConnectionID, token: String?) {
    messages.receive(message, on: id, token: token)
  }

  /// Queues the calls of a message.
  private func add(_ request: RPCRequest, from id: ConnectionID, _ caller: Caller) {
    let answers = RPCAnswers(to: request)
    let payer = caller.payer
    if sync.core.time.isOver(payer) { sync.core.time.countWait(of: payer) }
    for entry in request.entries {
      let pending = PendingRequest(entry: entry, answers: answers, caller: caller)
      for piece in pending.pieces {
        requests.add(piece, cost: 1, from: id, at: store.nowMilliseconds)
      }
    }
    // Whoever asks faster than it is answered is read no further, and so has to wait as well.
    if requests.count(of: id) >= Self.requestLimit { loop.pause(id) }
    schedule()
  }

  /// Old history has come, or will not come: answers those who waited.
  func answerAboutHistory() {
    for (id, pending) in history.removeSettled() where clients[id] != nil {
      requests.add(pending, cost: 1, from: id, at: store.nowMilliseconds)
    }
    schedule()
  }

  /// Forgets what a client asked for.
  func remove(_ id: ConnectionID) {
    requests.remove(id, keeping: \.goesOn)
    messages.remove(id)
  }

  // MARK: Turns

  /// Schedules a turn right after the present event; all messages that wait to be read share it.
  func schedule() {
    guard nextTurn == nil || isTurnDelayed else { return }
    if let nextTurn { loop.cancel(nextTurn) }
    schedule(afterMilliseconds: 0)
  }

  private func schedule(afterMilliseconds delay: Int64) {
    isTurnDelayed = delay > 0
    nextTurn = loop.schedule(after: .milliseconds(delay)) { [weak self] in
      self?.nextTurn = nil
      self?.haveTurn()
    }
  }

  private func haveTurn() {
    let end = store.nowMilliseconds + Self.turnMilliseconds
    repeat {
      if let lone = commitTogether(until: end) {
        carryOut(lone.work, from: lone.session)
      } else if !sync.core.isPushing {
        break
      }
      // What was packed has left: the sooner the rest follows, the less a peer waits. Answers leave first.
    } while store.nowMilliseconds < end && !(sync.core.time.isNeeded && sync.core.isPushing)
    sync.core.time.isNeeded = false
    watching.tellAll()
    metrics.forgetEdits()
    let delays = [
      requests.delayMilliseconds(at: store.nowMilliseconds) { [unowned self] session in
        isReady(session) ? 0 : Self.turnMilliseconds
      }, sync.core.nextFlushMilliseconds,
    ].compactMap(\.self)
    if nextTurn == nil, let delay = delays.min() { schedule(afterMilliseconds: delay) }
  }

  /// Carries out requests in one commit, together with what peers sent.
  ///
  /// - Returns: A request that came next and has to stand alone.
  private func commitTogether(
    until end: Int64
  ) -> (session: ConnectionID, work: PendingRequest)? {
    var answers: [Answered] = []
    return sync.core.time.share(among: shares(answers)) {
      commitTogether(until: end, &answers)
    }
  }

  /// The shares of the last commit: those of peers that sent changes and of clients that wrote; owners have none.
  private func shares(_ answers: [Answered]) -> [Payer: Int] {
    let workload = sync.core.workload
    let edits = answers.filter(\.pending.edits)
    var shares = workload.shares
    for edit in edits {
      let isOwners = edit.pending.rights.allows(.owner)
      let payer: Payer = isOwners ? .owner : edit.pending.caller.payer
      shares[payer, default: 0] += max(1, workload.changesMadeHere / edits.count)
    }
    return shares
  }

  private func commitTogether(
    until end: Int64,
    _ answers: inout [Answered]
  ) -> (session: ConnectionID, work: PendingRequest)? {
    var lone: (session: ConnectionID, work: PendingRequest)?
    // What is foreseen below is told of the next commit.
    commits.report()
    let failure = sync.flush {
      lone = carryOut(until: end, &answers)
      watching.foresee()
      metrics.commitBegins()
    } meanwhile: { [unowned self] in
      watching.writeDraft()
    }
    if failure != nil {
      metrics.commitIsOver()
      watching.dropDraft()
    }
    commits.report()
    metrics.commitIsOver()
    if let arrival = sync.removeMergedArrival() { metrics.edited(arrival: arrival) }
    for answer in answers { countEdit(answer.pending) }
    if failure == nil, watching.mayBeToldFirst(of: answers.lazy.map(\.client)) {
      watching.tellAll()
    }
    for answer in answers {
      let isTakenBack =
        failure.map { answer.pending.prepared?.fail(APIError($0)) ?? false } ?? false
      if let unfinished = answer.unfinished {
        if unfinished.work != nil { goOn(answer) }
      } else if isTakenBack {
        goOn(answer)
      } else {
        let result = failure.map { self.result(of: answer, after: $0) } ?? answer.result
        send(result, of: answer.pending, to: answer.client)
      }
    }
    return lone
  }

  /// Carries out a request that stands alone.
  private func carryOut(_ pending: PendingRequest, from id: ConnectionID) {
    guard !pending.answers.isFull, slow.take(pending) else {
      countEdit(pending)
      let result = result(of: pending, from: id)
      let answer = Answered(client: id, pending: pending, result: result)
      if answer.unfinished == nil { send(result, of: pending, to: id) } else { goOn(answer) }
      return commits.report()
    }
    held.insert(id)
    slow.begin(pending, from: id, pending.caller.payer) { [weak self] result in
      guard let self else { return }
      held.remove(id)
      guard clients[id] != nil else { return }
      let counted = pending.answers.result(of: pending.entry) { _ throws(RPCError) in
        try result.get()
      }
      send(counted, of: pending, to: id)
      schedule()
    }
  }

  /// Continues an unfinished request, ahead of its client's other requests.
  private func goOn(_ answer: Answered) {
    let client = answer.client
    requests.putBack(answer.pending, from: client, at: store.nowMilliseconds)
    guard let unfinished = answer.unfinished, let work = unfinished.work else { return }
    let then = { [weak self] () -> Void in
      self?.held.remove(client)
      self?.schedule()
    }
    held.insert(client)
    if unfinished.isSlow {
      slow.perform(work, for: answer.pending.caller.payer, then: then)
    } else if !loop.perform(holding: 0, work, then: then) {
      // Too much work waits already: it is done here, and the loop waits.
      held.remove(client)
      work()
    }
  }

  /// Carries out requests as long as there is time.
  ///
  /// - Returns: A request that came next and has to stand alone.
  private func carryOut(
    until end: Int64,
    _ answers: inout [Answered]
  ) -> (session: ConnectionID, work: PendingRequest)? {
    var end = end
    repeat {
      guard let next = nextRequest() else { return nil }
      if sync.core.time.isOver(next.work.caller.payer) {
        end = min(end, store.nowMilliseconds + Self.restMilliseconds)
      } else {
        sync.core.time.isNeeded = true
      }
      guard next.work.sharesCommit, !slow.take(next.work) else { return next }
      let answer = Answered(
        client: next.session,
        pending: next.work,
        result: result(of: next.work, from: next.session)
      )
      answers.append(answer)
      if let unfinished = answer.unfinished {
        // What is done beside the loop may read what this commit makes durable.
        if unfinished.work == nil { goOn(answer) } else { held.insert(next.session) }
      }
    } while store.nowMilliseconds < end
    return nil
  }

  private func nextRequest() -> (session: ConnectionID, work: PendingRequest)? {
    while let next = requests.next(
      at: store.nowMilliseconds,
      where: isReady,
      preferring: { !sync.core.time.isOver(clients.payer(of: $0)) }
    ) {
      if requests.count(of: next.session) == Self.requestLimit / 2 { loop.resume(next.session) }
      if !history.holdsBack(next.work, from: next.session) { return next }
    }
    return nil
  }

  /// Returns whether a client has read enough of its answers to get another one, and nothing of it
  /// is being done.
  private func isReady(_ id: ConnectionID) -> Bool {
    !held.contains(id) && clients.unreadBytes(of: id) <= Clients.backlogLimit
  }

  // MARK: Answers

  private func result(
    of pending: PendingRequest,
    from id: ConnectionID
  ) -> Result<any Answer, RPCError> {
    sync.core.time.spend(for: pending.caller.payer) {
      pending.answers.result(of: pending.entry) { call throws(RPCError) in
        try calls.answer(call, from: id, pending.rights, piece: pending.piece)
      }
    }
  }

  /// Remembers since when watchers are not told of an edit; one that changed nothing is never told of.
  private func countEdit(_ pending: PendingRequest) {
    if pending.edits { metrics.edited(arrival: pending.arrival) }
  }

  /// The answer after a failed commit: an edit was not made, and reading goes on.
  private func result(
    of answer: Answered,
    after failure: StoreError
  ) -> Result<any Answer, RPCError> {
    guard case .call(let call) = answer.pending.entry else { return answer.result }
    guard call.onlyReads else { return .failure(RPCError(APIError(failure))) }
    return result(of: answer.pending, from: answer.client)
  }

  /// Sends the answer to a call, or keeps it until the rest of its batch is answered.
  private func send(
    _ result: Result<any Answer, RPCError>,
    of pending: PendingRequest,
    to id: ConnectionID
  ) {
    guard let result = pending.piece.map({ $0.whole.add(result) }) ?? result else { return }
    if let message = pending.answers.add(result, to: pending.entry.id) {
      clients.send(message, to: id)
    }
    guard case .call(let call) = pending.entry else { return }
    let hasFailed = if case .failure = result { true } else { false }
    metrics.answered(call.method, arrival: pending.arrival, hasFailed: hasFailed)
  }
}
