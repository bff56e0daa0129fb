/// Looks after silent connections: asks whether they are there, and ends those that do not answer.
final class LivenessChecks {
  private let connections: Connections
  private let schedule: Schedule
  private var groups = KeepAlive()

  init(_ connections: Connections, _ schedule: Schedule) {
    self.connections = connections
    self.schedule = schedule
  }

  /// Starts looking after an open connection, until it has ended.
  func add(_ connection: Connection, _ patience: Patience) {
    if groups.add(connection.id, patience, at: now) { scheduleCheck(patience) }
  }

  /// Asks a connection at once whether it is still there, and ends it when no answer comes in time.
  func doubt(_ connection: Connection, within patience: Duration) {
    guard let webSocket = connection.webSocket else { return }
    webSocket.doubt(within: patience)
    ask(connection, webSocket)
  }

  private func scheduleCheck(_ patience: Patience) {
    schedule.run(after: patience.checkInterval) { [unowned self] in check(patience) }
  }

  private func check(_ patience: Patience) {
    let instant = now
    guard let (members, wasAway) = groups.check(patience, at: instant) else { return }
    for id in members {
      guard let connection = connections[id], let webSocket = connection.webSocket else {
        groups.remove(id, patience)
        continue
      }
      // What it answers is not read while it is paused here.
      if wasAway || webSocket.stream.isPaused { webSocket.excuse(at: instant) }
      switch webSocket.verdict(at: instant) {
      case .ask where webSocket.knownClose == nil: ask(connection, webSocket)
      case .lost: lose(connection, webSocket)
      case .ask, .fine: break
      }
    }
    scheduleCheck(patience)
  }

  private func ask(_ connection: Connection, _ webSocket: OpenWebSocket) {
    if webSocket.ask() { connections.requestFlush(of: connection) }
  }

  private func lose(_ connection: Connection, _ webSocket: OpenWebSocket) {
    if webSocket.isArriving { return webSocket.hear() }
    webSocket.end(by: CloseEvent(code: .abnormal, reason: "no answer", initiator: .local))
    connections.kill(connection)
  }
}

/// The connections that are looked at for silence, by how patient one is with them.
struct KeepAlive {
  private struct Group {
    var members: Set<ConnectionID> = []
    var checked: Int64
  }

  /// The lateness of a check beyond which silence counts for nothing.
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

/// Whether the other side of a connection still answers.
///
/// It is asked when it is silent, and given up when it stays so. Times are in microseconds, on any
/// clock that does not jump.
struct Liveness {
  /// The measure against a silent connection.
  enum Verdict {
    case fine, ask, lost
  }

  private let pingAfter: Int64
  private let silenceLimit: Int64
  private var heard: Int64
  private var asked: Int64?
  /// The time at which the connection is given up for another reason than long silence.
  private var limit: Int64?

  init(_ patience: Patience, at now: Int64) {
    pingAfter = patience.pingAfter.microseconds
    silenceLimit = patience.silenceLimit.microseconds
    heard = now
  }

  /// Notes that the other side said something.
  mutating func hear(at now: Int64) {
    heard = now
    asked = nil
    limit = nil
  }

  /// Notes that nobody listened here for some time, so that silence until now says nothing.
  mutating func excuse(at now: Int64) {
    heard = max(heard, now - pingAfter)
    asked = nil
    limit = limit.map { _ in now + silenceLimit - pingAfter }
  }

  /// Suspects that the other side is out of reach: it has to answer soon.
  mutating func doubt(at now: Int64, within patience: Int64) {
    guard limit == nil else { return }
    limit = now + patience
    asked = now
  }

  /// Looks at the time.
  mutating func verdict(at now: Int64) -> Verdict {
    if now - heard >= silenceLimit || limit.map({ now >= $0 }) == true { return .lost }
    guard now - heard >= pingAfter, asked.map({ now - $0 >= pingAfter }) != false else {
      return .fine
    }
    asked = now
    return .ask
  }
}
