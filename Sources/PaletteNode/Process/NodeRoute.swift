internal import WebSocket

/// The paths at which a node accepts WebSockets.
enum NodeRoute {
  static let rpc = "/rpc"
  static let sync = "/sync"
  static let echo = "/echo"
  /// The method by which a page shows the second half of its session, before all others.
  static let session = "session"

  /// The most bytes of one import, in base64, and of one listing.
  static let rpcLimit = 96 << 20
  /// The most bytes that wait for a peer; beyond half of it, the peer is served from the log,
  /// later.
  static let syncQueueBytes = 4 << 20
  /// The time that what was sent to a peer may stay unacknowledged by its system.
  static let unacknowledgedLimit = Duration.seconds(8)
  private static let echoLimit = 16 << 20

  static func all(echoes: Bool) -> [Route] {
    var routes = [
      Route(
        path: rpc,
        subprotocols: ["hued.rpc.v1"],
        allowsNoSubprotocol: true,
        messageLimit: rpcLimit,
        queueLimit: rpcLimit
      ),
      Route(
        path: sync,
        subprotocols: ["hued.sync.v1"],
        // The versions in the hello say what is spoken.
        allowsNoSubprotocol: true,
        queueLimit: syncQueueBytes,
        greets: true,
        // Who dialed asks; this side has to notice only that what it sends gets nowhere.
        patience: Patience(unacknowledgedLimit: unacknowledgedLimit)
      ),
    ]
    if echoes {
      routes.append(
        Route(
          path: echo,
          subprotocols: ["echo"],
          allowsNoSubprotocol: true,
          messageLimit: echoLimit,
          queueLimit: 4 * echoLimit
        )
      )
    }
    return routes
  }
}
