/// The connections that are looked at for silence, by how patient one is with them.
struct KeepAlive {
  private struct Group {
    var members: Set<ConnectionID> = []
    var checked: Int64
  }

  /// How late a check may be before silence counts for nothing.
  private static let awayLimit = Duration.seconds(1)

  private var groups: [Patience: Group] = [:]

  /// Looks after a connection; tells whether nobody was looked after with this patience, so that
  /// the checks have to begin.
  mutating func add(_ id: ConnectionID, _ patience: Patience, at now: Int64) -> Bool {
    let isFirst = groups[patience] == nil
    groups[patience, default: Group(checked: now)].members.insert(id)
    return isFirst
  }

  mutating func remove(_ id: ConnectionID, _ patience: Patience) {
    groups[patience]?.members.remove(id)
  }

  /// The connections to look at now; nil when there are none and the checks end.
  ///
  /// `wasAway` tells that this side was busy or stopped for so long that silence says nothing.
  mutating func check(
    _ patience: Patience,
    at now: Int64
  ) -> (members: Set<ConnectionID>, wasAway: Bool)? {
    guard let group = groups[patience], !group.members.isEmpty else {
      groups[patience] = nil
      return nil
    }
    groups[patience]?.checked = now
    let away = now - group.checked - patience.checkInterval.microseconds
    return (group.members, away > Self.awayLimit.microseconds)
  }
}
