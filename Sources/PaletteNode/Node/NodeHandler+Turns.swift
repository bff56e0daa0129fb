internal import PaletteStore
internal import WebSocket

/// Turns: what has arrived is carried out together, committed once, and only then answered.
extension NodeHandler {
  /// How long one turn works through requests; what is left waits for the next one.
  private static let turnMilliseconds: Int64 = 20

  /// So many watchers are told before an edit is answered.
  private static let fewWatchers = 8

  private struct Answer {
    let client: ConnectionID
    let pending: PendingRequest
    let response: [UInt8]?
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
    isInTurn = true
    defer { isInTurn = false }
    let end = store.nowMilliseconds + Self.turnMilliseconds
    var lone = commitTogether(until: end)
    while let request = lone {
      send(respond(to: request.work, from: request.session), to: request.session)
      lone = store.nowMilliseconds < end ? commitTogether(until: end) : nil
    }
    tellWatchers()
    let delays = [
      requests.delayMilliseconds(at: store.nowMilliseconds), sync.core.nextFlushMilliseconds,
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
    var answers: [Answer] = []
    let failure = sync.flush {
      repeat {
        guard let next = nextRequest() else { return }
        guard next.work.sharesCommit else {
          lone = next
          return
        }
        answers.append(
          Answer(
            client: next.session,
            pending: next.work,
            response: respond(to: next.work, from: next.session)
          )
        )
      } while store.nowMilliseconds < end
    }
    if failure == nil, mayTellFirst(answers) { tellWatchers() }
    for answer in answers {
      send(
        failure.map { self.response(to: answer, after: $0) } ?? answer.response,
        to: answer.client
      )
    }
    return lone
  }

  /// Whether watchers may hear of edits before those who made them hear that they are done.
  ///
  /// A few are: they wait for news, and an answer can wait as long as telling a few takes. Somebody who
  /// asked and watches gets the answer first.
  private func mayTellFirst(_ answers: [Answer]) -> Bool {
    guard watches.hasNews else { return false }
    let expectant = watches.expectant
    return expectant.count <= Self.fewWatchers
      && answers.allSatisfy { !expectant.contains($0.client) }
  }

  private func nextRequest() -> (session: ConnectionID, work: PendingRequest)? {
    while let next = requests.next(at: store.nowMilliseconds) {
      if requests.count(of: next.session) == Self.requestLimit / 2 { loop.resume(next.session) }
      if !waitsForHistory(next.work, from: next.session) { return next }
    }
    return nil
  }

  private func respond(to pending: PendingRequest, from id: ConnectionID) -> [UInt8]? {
    pending.request.respond { call throws(RPCError) in
      metrics.calls += 1
      do throws(RPCError) {
        return try answer(call, from: id, pending.rights)
      } catch {
        metrics.failedCalls += 1
        throw error
      }
    }
  }

  /// What to say when the commit failed: an edit was not made, and reading goes on.
  private func response(to answer: Answer, after failure: StoreError) -> [UInt8]? {
    if answer.pending.onlyReads { return respond(to: answer.pending, from: answer.client) }
    return answer.pending.request.respond { _ throws(RPCError) in
      throw RPCError(APIError(failure))
    }
  }

  private func send(_ response: [UInt8]?, to id: ConnectionID) {
    if let response { send(response, as: .text, to: id) }
  }
}
