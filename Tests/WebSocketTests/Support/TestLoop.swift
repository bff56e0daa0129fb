import PaletteTestSupport
import Synchronization
import WebSocket

/// A loop with a handler that writes down events, and at most one listener.
final class TestLoop: Sendable {
  let thread: LoopThread<TestHandler>
  let log: EventLog
  let port: UInt16

  static let routes = [
    Route(path: "/chat", subprotocols: ["chat.v1", "chat.v2"]),
    Route(path: "/open", subprotocols: ["open.v1"], allowsNoSubprotocol: true),
    Route(path: "/greet", subprotocols: ["greet.v1"], greets: true),
    Route(
      path: "/echo",
      subprotocols: ["echo"],
      allowsNoSubprotocol: true,
      messageLimit: 16 << 20,
      queueLimit: 17 << 20
    ),
  ]

  /// The usual settings, but for a machine that may be as slow as any that tests run on.
  static var configuration: LoopConfiguration {
    var configuration = LoopConfiguration(routes: routes)
    configuration.handshakeTimeout = .patiently(seconds: 5)
    configuration.patience = Patience(
      pingAfter: .patiently(seconds: 100),
      silenceLimit: .patiently(seconds: 200)
    )
    configuration.closeTimeout = .patiently(seconds: 5)
    return configuration
  }

  init(
    _ configuration: LoopConfiguration = TestLoop.configuration,
    listener: ListenerConfiguration? = ListenerConfiguration(
      endpoint: .tcp(host: "127.0.0.1", port: 0)
    ),
    behavior: TestHandler.Behavior = .echo
  ) throws {
    let log = EventLog()
    let port = Port()
    thread = try LoopThread(configuration) { loop in
      if let listener {
        let info = try loop.listen(listener)
        port.value.withLock { $0 = info.port }
      }
      return TestHandler(loop, log, behavior)
    }
    self.log = log
    self.port = port.value.withLock { $0 }
  }

  /// Shuts down and waits for the thread.
  func stop(code: CloseCode = .goingAway, reason: String = "") {
    thread.beginShutdown(code: code, reason: reason, within: .patiently(seconds: 4))
    thread.join()
  }

  /// Runs a closure on the loop's thread and waits for its result.
  func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) -> Result
  ) throws -> Result {
    let answers = EventLog()
    let result = Handover<Result>()
    thread.perform { loop, _ in
      result.set(body(loop))
      answers.append(.note("done"))
    }
    return try answers.wait(for: "call") { _ in result.get() }
  }

  /// Connects and returns the name of the connection.
  func connect(_ request: ConnectRequest) throws -> ConnectionID {
    try onLoop { $0.connect(request) }
  }

  /// Connects and waits for the failure.
  func failure(connecting request: ConnectRequest) throws -> ConnectFailure {
    try log.failure(of: connect(request))
  }

  private final class Port: Sendable {
    let value = Mutex<UInt16>(0)
  }
}

/// A value that one thread leaves for another.
final class Handover<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ value: Value) { self.value.withLock { $0 = value } }

  func get() -> Value? { value.withLock { $0 } }
}

/// Starts a loop, hands it to the test and ends it.
func withLoop(
  _ configuration: LoopConfiguration = TestLoop.configuration,
  listener: ListenerConfiguration? = ListenerConfiguration(
    endpoint: .tcp(host: "127.0.0.1", port: 0)
  ),
  behavior: TestHandler.Behavior = .echo,
  _ body: (TestLoop) throws -> Void
) throws {
  let loop = try TestLoop(configuration, listener: listener, behavior: behavior)
  defer { loop.stop() }
  try body(loop)
}
