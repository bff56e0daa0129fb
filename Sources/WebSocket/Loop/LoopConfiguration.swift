/// The settings of a loop.
package struct LoopConfiguration: Sendable {
  /// The paths where WebSockets are accepted.
  package var routes: [Route]
  /// How long a client may take from being accepted to having asked for something, TLS included.
  package var handshakeTimeout: Duration = .seconds(5)
  /// How long a client may keep an HTTP connection idle, or leave a response unread.
  package var idleTimeout: Duration = .seconds(20)
  /// How long an HTTP connection may last in all, however many requests come on it.
  package var httpLifetime: Duration = .seconds(120)
  /// How many descriptors the process may use; nil for what the system says.
  ///
  /// The last ones are kept for Unix sockets, files, and connections that this side makes.
  package var descriptorLimit: Int?
  /// The most connections whose owner is not known yet, of all listeners together; nil for half of
  /// the descriptors.
  package var unauthenticatedLimit: Int?
  /// How it is found out that a WebSocket is dead, where its route or request says nothing else.
  package var patience = Patience()
  /// How long a close may take, what waits to be sent included.
  package var closeTimeout: Duration = .seconds(5)
  /// The most bytes that the unfinished messages of all connections may have that have not greeted
  /// yet, on routes that greet.
  package var unauthenticatedBytes = 16 << 20
  /// The most commands from other threads that may wait.
  package var inboxCapacity = 4096
  /// Whether any listener or connection will use TLS; preparing it costs a few milliseconds.
  package var usesTLS = true

  /// Creates the usual settings.
  package init(routes: [Route]) {
    self.routes = routes
  }
}
