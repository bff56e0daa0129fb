internal import PaletteCommands

/// A call of a client, until it is its turn.
///
/// The calls of a batch wait one by one, so that others have their turn between them.
struct PendingRequest {
  let entry: RPCRequest.Entry
  /// The answers to the message that the call came in.
  let answers: RPCAnswers
  /// What the client might do when it asked; when that ends, so does its connection.
  let rights: CallerRights
  /// When the client's message had arrived.
  let arrival = ContinuousClock.now
  /// Whether older history was asked for already.
  var hasWaitedForHistory = false

  /// Whether it can share a commit with others: it only reads, or writes to the log.
  ///
  /// The others need a store without an open transaction, or tell about what is durable.
  var sharesCommit: Bool {
    guard case .call(let call) = entry else { return true }
    return CommandTable.command(named: call.method)?.effect.sharesCommit ?? true
  }
}
