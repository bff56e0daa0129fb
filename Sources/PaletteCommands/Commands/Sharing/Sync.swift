extension Command {
  package static let sync = Command(
    "sync",
    .sharing,
    .alone,
    view: .synced,
    summary: "Syncs with every peer now",
    details: ["Exit 5 when a peer stayed unreachable."],
    flags: [Flag("wait", nil, "wait as long as it takes")],
    examples: [.init("hued sync --wait", "wait until everything is exchanged")],
    otherNames: ["push", "pull", "fetch"],
    access: .editor,
    parameters: []
  ) { call in
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can sync")
    }
    try sharing.syncNow()
    return SyncAnswer(
      received: sharing.receivedChanges,
      pending: try call.library.peerStates().map(\.pending).max() ?? 0
    )
  }.notInFleets("'hued sync' on a machine of yours")
    .with(\.work, "Syncing")
    .with(\.clientPart, .syncing)
}

/// The amount that has come so far, and the amount that waits.
package struct SyncAnswer: ObjectAnswer {
  let received: Int
  let pending: Int

  package static let fields: [Field<Self>] = [
    Field("received") { $0.received }, Field("pending") { $0.pending },
  ]
}

extension Received where Form == SyncAnswer {
  /// The number of changes that were sent; known to whoever waited for it.
  package var sent: Int? { integer("sent") }
  package var received: Int? { integer("received") }
  package var pending: Int? { integer("pending") }
}
