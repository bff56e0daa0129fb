import WebSocket

/// Writes down what it is told and does what the test wants.
final class TestHandler: LoopHandler {
  /// What the test wants; everything may be left out.
  struct Behavior: Sendable {
    var admit: @Sendable (UpgradeRequest) -> UpgradeDecision = { _ in .accept }
    var respond: @Sendable (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: 404) }
    /// Answers requests under this path beside the loop.
    var pathBeside: String?
    var respondBeside: @Sendable () -> HTTPResponse = { HTTPResponse(status: 404) }
    /// Tells of a target that is still being fetched.
    var isFetching: @Sendable (EventLoop, String) -> Bool = { _, _ in false }
    var connected: @Sendable (EventLoop, ConnectionInfo) -> Void = { _, _ in }
    var received: @Sendable (EventLoop, ConnectionID, Message) -> Void = { _, _, _ in }
    var drained: @Sendable (EventLoop, ConnectionID) -> Void = { _, _ in }
    /// Whether messages are written down.
    var logsMessages = true

    static var echo: Self {
      var behavior = Self()
      behavior.received = { loop, id, message in
        loop.send(message.bytes, as: message.kind, to: id)
      }
      return behavior
    }
  }

  private unowned let loop: EventLoop
  private let log: EventLog
  private let behavior: Behavior

  init(_ loop: EventLoop, _ log: EventLog, _ behavior: Behavior) {
    self.loop = loop
    self.log = log
    self.behavior = behavior
  }

  func admit(_ request: UpgradeRequest) -> UpgradeDecision { behavior.admit(request) }

  func respond(to request: HTTPRequest) -> HTTPResponse? {
    guard request.path == behavior.pathBeside else { return behavior.respond(request) }
    let isAccepted = loop.perform(holding: 0, isSlow: true) { [respond = behavior.respondBeside] in
      respond()
    } then: { [unowned loop] response in
      loop.answer(request.id, with: response)
    }
    return isAccepted ? nil : HTTPResponse(status: 503)
  }

  func fetch(_ target: String, for listener: ListenerID, from address: String) -> String? {
    behavior.isFetching(loop, target) ? target : nil
  }

  func isFetching(_ name: String) -> Bool { behavior.isFetching(loop, name) }

  func connected(_ connection: ConnectionInfo) {
    log.append(.connected(connection))
    behavior.connected(loop, connection)
  }

  func received(_ message: Message, on id: ConnectionID) {
    if behavior.logsMessages { log.append(.message(id, message)) }
    behavior.received(loop, id, message)
  }

  func drained(_ id: ConnectionID) {
    log.append(.drained(id))
    behavior.drained(loop, id)
  }

  func closed(_ id: ConnectionID, _ event: CloseEvent) {
    log.append(.closed(id, event))
  }

  func refused(_ address: String, _ reason: ConnectionRefusal) {
    log.append(.refused(address, reason))
  }

  func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
    log.append(.failed(id, failure))
  }
}
