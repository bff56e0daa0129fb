/// Receives the events of a loop, one at a time, on the loop's own thread.
///
/// It is made on that thread and never leaves it, so it needs no lock, and it may call the loop from
/// any of these methods. A method that takes long holds up every connection.
package protocol LoopHandler: AnyObject, SendableMetatype {
  /// Decides about a WebSocket that the library's own checks have passed.
  func admit(_ request: UpgradeRequest) -> UpgradeDecision
  /// Answers a GET or HEAD request; nil where `EventLoop.answer` brings the answer later.
  func respond(to request: HTTPRequest) -> HTTPResponse?
  /// Begins to fetch what a request without TLS asks for, where that is not here.
  ///
  /// - Parameters:
  ///   - target: The target of the request, as it came.
  ///   - listener: The listener that it came to.
  ///   - address: The address of whoever asks.
  /// - Returns: A name for what may be here in a moment: the request waits for `EventLoop.passFetched`, within
  ///   limits. Nil where there is nothing to wait for.
  func fetch(_ target: String, for listener: ListenerID, from address: String) -> String?
  /// Returns whether something is still being fetched, by the name that `fetch` gave it.
  func isFetching(_ name: String) -> Bool
  /// Returns whether a path may be asked for by the target that a request without TLS has, as it came.
  func mayAsk(for path: String, by target: String, at listener: ListenerID) -> Bool
  /// Returns whether pages of other sites may ask for a path too.
  func isOpen(toOtherSites path: String) -> Bool
  /// A WebSocket is open, in either role.
  func connected(_ connection: ConnectionInfo)
  /// A whole message has arrived.
  func received(_ message: Message, on id: ConnectionID)
  /// A queue that had refused a message, or was more than half full, is down to a quarter.
  func drained(_ id: ConnectionID)
  /// A WebSocket that was open has ended; nothing more comes from it.
  func closed(_ id: ConnectionID, _ event: CloseEvent)
  /// A client was sent away, or made room for another, before it showed who it is.
  func refused(_ address: String, _ reason: ConnectionRefusal)
  /// A connection that `connect` began could not be made.
  func failed(_ id: ConnectionID, _ failure: ConnectFailure)
}

extension LoopHandler {
  /// Accepts everyone.
  package func admit(_ request: UpgradeRequest) -> UpgradeDecision { .accept }
  /// Answers 404.
  package func respond(to request: HTTPRequest) -> HTTPResponse? { HTTPResponse(status: 404) }
  /// Fetches nothing.
  package func fetch(_ target: String, for listener: ListenerID, from address: String) -> String? {
    nil
  }
  /// Fetches nothing.
  package func isFetching(_ name: String) -> Bool { false }
  /// Allows every spelling.
  package func mayAsk(for path: String, by target: String, at listener: ListenerID) -> Bool { true }
  /// Opens nothing.
  package func isOpen(toOtherSites path: String) -> Bool { false }
  /// Does nothing.
  package func connected(_ connection: ConnectionInfo) {}
  /// Does nothing.
  package func drained(_ id: ConnectionID) {}
  /// Does nothing.
  package func closed(_ id: ConnectionID, _ event: CloseEvent) {}
  /// Does nothing.
  package func refused(_ address: String, _ reason: ConnectionRefusal) {}
  /// Does nothing.
  package func failed(_ id: ConnectionID, _ failure: ConnectFailure) {}
}

/// The settings of a loop.
package struct LoopConfiguration: Sendable {
  /// The paths where WebSockets are accepted.
  package var routes: [Route]
  /// Returns whether a text may stand before the path of a route, for servers of many things under one
  /// address; nothing may unless this says so.
  package var isBase: @Sendable (Substring) -> Bool = { $0.isEmpty }
  /// The time that a client may take from being accepted to having asked for something, TLS
  /// included.
  package var handshakeTimeout: Duration = .seconds(5)
  /// The longest time for which a request waits for what it asks for, where that is being fetched.
  package var fetchTimeout: Duration = .seconds(1)
  /// The time that a client may keep an HTTP connection idle, or leave a response unread.
  package var idleTimeout: Duration = .seconds(20)
  /// The time that an HTTP connection may last in all, however many requests come on it.
  package var httpLifetime: Duration = .seconds(120)
  /// The number of descriptors the process may use; nil for what the system says.
  ///
  /// The last ones are kept for Unix sockets, files, and connections that this side makes.
  package var descriptorLimit: Int?
  /// The most connections whose owner is not known yet, of all listeners together; nil for half of
  /// the descriptors.
  package var unauthenticatedLimit: Int?
  /// The patience with a silent WebSocket, if its route or request has none of its own.
  package var patience = Patience()
  /// The time that a close may take, what waits to be sent included.
  package var closeTimeout: Duration = .seconds(5)
  /// The most bytes that the unfinished messages of all connections may have that have not greeted
  /// yet, on routes that greet.
  package var unauthenticatedBytes = 16 << 20
  /// The most commands from other threads that may wait.
  package var inboxCapacity = 4096
  /// True if any listener or connection will use TLS; preparing it costs a few milliseconds.
  var usesTLS = true

  /// Creates the usual settings.
  package init(routes: [Route]) {
    self.routes = routes
  }
}
