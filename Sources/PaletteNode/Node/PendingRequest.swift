/// What a client asked for, until it is its turn.
struct PendingRequest {
  let request: RPCRequest
  /// What the client might do when it asked; when that ends, so does its connection.
  let rights: CallerRights
  /// Whether older history was asked for already.
  var hasWaitedForHistory = false

  /// Whether it can share a commit with others: it only reads, or writes to the log.
  var sharesCommit: Bool { request.calls.allSatisfy { Self.isShared($0.method) } }

  /// Whether carrying it out again changes nothing.
  var onlyReads: Bool {
    request.calls.allSatisfy { call in
      RPCMethodTable.methods.contains { $0.name == call.method && $0.access == .viewer }
    }
  }

  /// The others need a store without an open transaction, or tell about what is durable.
  private static func isShared(_ method: String) -> Bool {
    switch method {
    case "palette.watch", "palette.unwatch", "library.watch", "sync", "join", "leave", "revoke",
      "backup", "compact",
      "doctor":
      false
    default: true
    }
  }
}
