internal import WebSocket

/// Which connections belong to which member, so that nobody takes all of them.
struct MemberConnections {
  private var members: [ConnectionID: Int64] = [:]
  private var counts: [Int64: Int] = [:]

  /// How many connections a member has.
  func count(of member: Int64) -> Int { counts[member] ?? 0 }

  mutating func add(_ id: ConnectionID, of member: Int64) {
    remove(id)
    members[id] = member
    counts[member, default: 0] += 1
  }

  mutating func remove(_ id: ConnectionID) {
    guard let member = members.removeValue(forKey: id), let count = counts[member] else { return }
    counts[member] = count > 1 ? count - 1 : nil
  }
}
