import Testing

@testable import WebSocket

/// What a loop knows of its connections, without libwebsockets: the context is never opened.
struct ConnectionsTests {
  private let schedule: Schedule
  private let shutdown: ShutdownState
  private let connections: Connections
  private let log = Log()

  init() {
    let configuration = LoopConfiguration(routes: [])
    let context = ServiceContext(configuration)
    schedule = Schedule(context)
    shutdown = ShutdownState(context)
    connections = Connections(configuration, schedule, shutdown)
    connections.handler = log
  }

  private func add(_ stage: Connection.Stage = .requesting) -> Connection {
    let peer = Peer(address: "192.0.2.1", port: 1, userID: nil, isEncrypted: false)
    let connection = connections.make(nil, peer, stage)
    connections.add(connection)
    return connection
  }

  private func makeOpen() -> Connection {
    let connection = add()
    let stream = FrameStream(connection.id, messageLimit: 10, queueLimit: 10, isClient: false)
    connection.advance(to: .open(OpenWebSocket(stream, Patience(), UnfinishedBytes())))
    return connection
  }

  private func connecting() -> Connection {
    let request = ConnectRequest(
      endpoint: .tcp(host: "a", port: 1),
      path: "/",
      subprotocol: nil
    )
    return add(.connecting(ConnectAttempt(request: request, due: 0)))
  }

  @Test func anEndIsToldOnceAndWhenLibwebsocketsIsLeft() {
    let connection = makeOpen()
    connections.end(connection)
    connections.end(connection)
    #expect(connections[connection.id] == nil)
    #expect(log.events.isEmpty)
    schedule.runDeferred()
    #expect(log.events == ["closed 1 1006"])
  }

  @Test func whatIsClosedEndsAsThisSideWanted() {
    let connection = makeOpen()
    connections.close(connection, code: .policyViolation, reason: "no")
    #expect(connections.needFlush && connections.removeFlushes().count == 1)
    connections.close(connection, code: .normal)
    #expect(!connections.needFlush)
    #expect(connection.webSocket?.wantedClose?.code == .policyViolation)
  }

  @Test func anAttemptThatIsGivenUpFailsWithItsFirstReason() {
    let connection = connecting()
    connections.giveUp(connection, ConnectFailure(kind: .unreachable, message: "first"))
    connections.giveUp(connection, ConnectFailure(kind: .cancelled, message: "second"))
    schedule.runDeferred()
    #expect(log.events == ["failed 1 first"])
  }

  @Test func tooManyFromOneNetworkSendTheOldestAway() throws {
    let address = try SocketAddress.resolve(host: "192.0.2.1", port: 1)
    let limits = UnauthenticatedLimits(perAddress: 2, perLoopbackAddress: nil)
    for _ in 0..<3 {
      connections.countUnauthenticated(makeOpen(), from: address, limits, atMost: 100)
    }
    #expect(log.events == ["refused 192.0.2.1"])
    #expect(connections.refusedCount == 1)
    #expect(connections.oldestUnauthenticated?.id == ConnectionID(rawValue: 2))
  }

  @Test func aShutdownIsOverWhenTheLastConnectionHasEnded() {
    let first = makeOpen()
    let second = connecting()
    shutdown.begin()
    connections.end(first)
    schedule.runDeferred()
    #expect(!shutdown.isStopped)
    connections.end(second)
    schedule.runDeferred()
    #expect(shutdown.isStopped)
  }

  @Test func whatIsPutOffUntilLaterMayPutOffMore() {
    var order: [Int] = []
    schedule.later {
      order.append(1)
      schedule.later { order.append(3) }
    }
    schedule.later { order.append(2) }
    #expect(schedule.hasDeferred)
    schedule.runDeferred()
    #expect(order == [1, 2, 3] && !schedule.hasDeferred)
  }

  private final class Log: LoopHandler {
    private(set) var events: [String] = []

    func received(_ message: Message, on id: ConnectionID) {}

    func closed(_ id: ConnectionID, _ event: CloseEvent) {
      events.append("closed \(id.rawValue) \(event.code.rawValue)")
    }

    func refused(_ address: String, _ reason: ConnectionRefusal) {
      events.append("refused \(address)")
    }

    func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
      events.append("failed \(id.rawValue) \(failure.message)")
    }
  }
}
