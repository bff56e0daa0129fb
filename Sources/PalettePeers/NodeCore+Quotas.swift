internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// Writes wait where there is no room for them; nothing is lost, because whoever made them has them.
extension NodeCore {
  /// Returns whether what a member writes has to wait.
  package func hasToWait(_ member: Int64) throws -> Bool {
    try isFull || hasWrittenShare(member)
  }

  /// True if there is no room for what others write.
  package var isFull: Bool { quotas.isFull }

  private func hasWrittenShare(_ member: Int64) throws -> Bool {
    try quotas.isUsedUp(by: member) { try store.members.written.count(of: member) }
  }

  /// The grants of a member as they count now.
  func limited(_ grants: [Grant], of member: Int64) throws -> [Grant] {
    Trust.limiting(grants, hasWrittenShare: try hasWrittenShare(member), isFull: isFull)
  }

  /// Counts what a member wrote.
  func charge(_ bytes: Int, to member: Int64) throws {
    let isUsedUp = try quotas.add(bytes, by: member) { try store.members.written.count(of: member) }
    guard isUsedUp else { return }
    rights.limitsChanged()
    rights.hurry()
    let title = try store.members.member(member)?.title ?? "a member"
    emit(.log(.quota, isProblem: true, "\(title) has written its quota, and its edits wait"))
  }

  /// What a change counts for that is not held and that another one says to have seen: a row here and at
  /// everybody who gets the palette, until it comes.
  private static let aheadBytes = 256

  /// Counts what members wrote through this library, and what changes of members have it remember.
  func chargeGuests(_ changes: [CommittedChanges.Entry], in runs: [ChangeRun]) {
    var rest = changes[...]
    for run in runs {
      let part = rest.prefix(run.count)
      rest = rest.dropFirst(run.count)
      let aheadBytes = part.reduce(0) { $0 + $1.aheadCount } * Self.aheadBytes
      if let author = store.author(of: run.node), author != .library {
        charge(part.reduce(aheadBytes) { $0 + $1.bytes.count }, of: author)
      } else if aheadBytes > 0, let member = run.origin.flatMap({ connections[$0]?.member }) {
        charge(aheadBytes, of: AuthorID(member))
      }
    }
  }

  /// Counts the edits of members that are remembered.
  func chargeRememberedEdits() {
    for (author, bytes) in store.removeRememberedBytes() { charge(bytes, of: author) }
  }

  private func charge(_ bytes: Int, of author: AuthorID) {
    do {
      try charge(bytes, to: author.rawValue)
    } catch {
      report("what a member wrote could not be counted", error)
    }
  }

  /// Discards the counts of what members wrote, because compaction changed them.
  package func forgetQuotas() {
    quotas.forget()
    rights.limitsChanged()
  }

  /// Saves the counts now and then; a commit for every edit would be expensive.
  func saveQuotas(always: Bool = false) {
    let now = store.nowMilliseconds
    guard always && !quotas.unsaved.isEmpty || quotas.isDue(at: now) else { return }
    do throws(StoreError) {
      try store.members.written.add(quotas.unsaved)
      quotas.removeUnsaved(at: now)
    } catch {
      report("what members wrote could not be noted", error)
    }
  }

  /// Pauses the writes of others while the disk is full.
  func setFull(_ isFull: Bool) throws {
    guard isFull != self.isFull else { return }
    quotas.setFull(isFull)
    rights.limitsChanged()
    let text = isFull ? "there is little room left: writes of others wait" : "there is room again"
    emit(.log(.room, isProblem: isFull, text))
    if isFull {
      for (id, connection) in connections.all where connection.url != nil {
        drop(id, 1013, Self.full.text)
      }
      for url in dialing.urls { dialing.describe(url) { $0.error = Self.full } }
      emit(.peersChanged)
    } else {
      dialing.hurry()
    }
    try checkRights()
  }

  private static let full = PeerError(
    code: PeerError.overQuota,
    "there is too little room left on this machine's disk"
  )
}
