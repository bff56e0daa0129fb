internal import PaletteCommands

/// A call of a client, until it is its turn.
///
/// The calls of a batch wait one by one, so that others have their turn between them.
struct PendingRequest {
  let entry: RPCRequest.Entry
  /// The answers to the message that the call came in.
  let answers: RPCAnswers
  /// The client that asks.
  let caller: Caller
  /// The arrival of the client's message.
  let arrival = ContinuousClock.now
  /// The piece of the call, if it is carried out in several.
  var piece: RequestPiece?
  /// True if older history was asked for already.
  var hasWaitedForHistory = false

  /// The client's present rights, which may be fewer than when it asked.
  var rights: CallerRights { caller.rights }

  /// The request as so many as it is carried out in.
  var pieces: [PendingRequest] {
    guard case .call(let call) = entry, case .success(let pieces)? = call.prepared, pieces.count > 1
    else { return [self] }
    let whole = PiecewiseAnswer(pieces)
    return pieces.indices.map { number in
      var copy = self
      copy.piece = RequestPiece(number: number, whole: whole)
      return copy
    }
  }

  /// The part that was done before its turn.
  var prepared: PreparedCall? {
    guard case .call(let call) = entry, case .success(let pieces)? = call.prepared else {
      return nil
    }
    return pieces[piece?.number ?? 0]
  }

  /// True if it edits.
  var edits: Bool {
    guard case .call(let call) = entry else { return false }
    return call.edits
  }

  /// True if it goes on with what has begun, so that it is carried out even if its client has left.
  var goesOn: Bool { prepared?.goesOn ?? false }

  /// True if it can share a commit with others: it only reads, or writes to the log.
  ///
  /// The others need a store without an open transaction, or tell about what is durable.
  var sharesCommit: Bool {
    guard case .call(let call) = entry else { return true }
    return call.sharesCommit
  }
}

/// One of the pieces in which a call is carried out.
struct RequestPiece {
  let number: Int
  let whole: PiecewiseAnswer
}

/// Collects the answers to the pieces of one call.
final class PiecewiseAnswer {
  let pieces: [PreparedCall]
  private var answers: [any Answer] = []
  private var failure: RPCError?
  private var missing: Int

  init(_ pieces: [PreparedCall]) {
    self.pieces = pieces
    missing = pieces.count
  }

  /// Adds the answer to the next piece; the answer to all with the last one.
  ///
  /// What was done stays done where a later piece fails, and the first failure is what is told.
  func add(_ result: Result<any Answer, RPCError>) -> Result<any Answer, RPCError>? {
    missing -= 1
    switch result {
    case .success(let answer): answers.append(answer)
    case .failure(let error): failure = failure ?? error
    }
    guard missing == 0 else { return nil }
    if let failure { return .failure(failure) }
    return .success(PreparedCall.answer(pieces, answers))
  }
}
