internal import PaletteCommands
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Turns: what has arrived is carried out together, committed once, and only then answered.
extension NodeHandler {
  /// How long one turn works through requests; what is left waits for the next one.
  private static let turnMilliseconds: Int64 = 20

  /// So many watchers are told before an edit is answered.
  private static let fewWatchers = 8

  private struct Answered {
    let client: ConnectionID
    let pending: PendingRequest
    let result: Result<any Answer, RPCError>
  }

  /// Has a turn after what is going on: everything that waits to be read shares it.
  func scheduleTurn() {
    guard nextTurn == nil || isTurnDelayed else { return }
    if let nextTurn { loop.cancel(nextTurn) }
    scheduleTurn(afterMilliseconds: 0)
  }

  private func scheduleTurn(afterMilliseconds delay: Int64) {
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
        noteEdit(lone.work)
        send(result(of: lone.work, from: lone.session), of: lone.work, to: lone.session)
        noteCommits()
      } else if !sync.core.isPushing {
        break
      }
      // What was packed has left: the sooner the rest follows, the less a peer waits.
    } while store.nowMilliseconds < end
    tellWatchers()
    metrics.forgetEdits()
    let delays = [
      requests.delayMilliseconds(at: store.nowMilliseconds) { [unowned self] session in
        takesAnswers(session) ? 0 : Self.turnMilliseconds
      }, sync.core.nextFlushMilliseconds,
    ].compactMap(\.self)
    if nextTurn == nil, let delay = delays.min() { scheduleTurn(afterMilliseconds: delay) }
  }

  /// Carries out requests in one commit, together with what peers sent.
  ///
  /// - Returns: A request that came next and has to stand alone.
  private func commitTogether(
    until end: Int64
  ) -> (session: ConnectionID, work: PendingRequest)? {
    var lone: (session: ConnectionID, work: PendingRequest)?
    var answers: [Answered] = []
    // What is foreseen below is told of the next commit.
    noteCommits()
    let failure = sync.flush {
      lone = carryOut(until: end, &answers)
      foreseeNews()
      metrics.commitBegins()
    } meanwhile: { [unowned self] in
      watches.writeDraft()
    }
    if failure != nil {
      metrics.commitIsOver()
      watches.dropDraft()
    }
    noteCommits()
    metrics.commitIsOver()
    if let arrival = sync.takeMergedArrival() { metrics.edited(arrival: arrival) }
    for answer in answers { noteEdit(answer.pending) }
    if failure == nil, mayTellFirst(answers) { tellWatchers() }
    for answer in answers {
      let result = failure.map { self.result(of: answer, after: $0) } ?? answer.result
      send(result, of: answer.pending, to: answer.client)
    }
    return lone
  }

  /// Carries out requests as long as there is time.
  ///
  /// - Returns: A request that came next and has to stand alone.
  private func carryOut(
    until end: Int64,
    _ answers: inout [Answered]
  ) -> (session: ConnectionID, work: PendingRequest)? {
    repeat {
      guard let next = nextRequest() else { return nil }
      guard next.work.sharesCommit else { return next }
      answers.append(
        Answered(
          client: next.session,
          pending: next.work,
          result: result(of: next.work, from: next.session)
        )
      )
    } while store.nowMilliseconds < end
    return nil
  }

  /// Looks at what watchers will have to be told, to write it while the disk writes.
  private func foreseeNews() {
    do {
      try watches.foresee(store.uncommitted, from: store)
    } catch {
      // They are told after the commit, and the log says then why they cannot be.
    }
  }

  /// Whether watchers may hear of edits before those who made them hear that they are done.
  ///
  /// A few are: they wait for news, and an answer can wait as long as telling a few takes. Somebody who
  /// asked and watches gets the answer first.
  private func mayTellFirst(_ answers: [Answered]) -> Bool {
    guard watches.hasNews else { return false }
    let expectant = watches.expectant
    return expectant.count <= Self.fewWatchers
      && answers.allSatisfy { !expectant.contains($0.client) }
  }

  private func nextRequest() -> (session: ConnectionID, work: PendingRequest)? {
    while let next = requests.next(at: store.nowMilliseconds, where: takesAnswers) {
      if requests.count(of: next.session) == Self.requestLimit / 2 { loop.resume(next.session) }
      if !waitsForHistory(next.work, from: next.session) { return next }
    }
    return nil
  }

  /// Whether a client has read enough of its answers to get another one.
  private func takesAnswers(_ id: ConnectionID) -> Bool {
    loop.queuedBytes(of: id) <= Self.backlogLimit
  }

  private func result(
    of pending: PendingRequest,
    from id: ConnectionID
  ) -> Result<any Answer, RPCError> {
    pending.answers.result(of: pending.entry) { call throws(RPCError) in
      try answer(call, from: id, pending.rights, piece: pending.piece)
    }
  }

  /// Remembers since when watchers are not told of an edit; one that changed nothing is never told of.
  private func noteEdit(_ pending: PendingRequest) {
    guard case .call(let call) = pending.entry,
      CommandTable.command(named: call.method)?.effect.edits == true
    else { return }
    metrics.edited(arrival: pending.arrival)
  }

  /// What to say when the commit failed: an edit was not made, and reading goes on.
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
      send(message, as: .text, to: id)
    }
    guard case .call(let call) = pending.entry else { return }
    let hasFailed = if case .failure = result { true } else { false }
    metrics.answered(call.method, arrival: pending.arrival, hasFailed: hasFailed)
  }
}
