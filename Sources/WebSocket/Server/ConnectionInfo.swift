/// The facts about a WebSocket connection once it is open.
package struct ConnectionInfo: Sendable {
  /// The side of the handshake on which this process was.
  package enum Role: Sendable {
    /// The other side connected to a listener.
    case server
    /// This side connected.
    case client
  }

  /// The name of the connection in its loop.
  package let id: ConnectionID
  /// The side of the handshake on which this process was.
  package let role: Role
  /// The text before the path of the route in the path that was asked for; empty on the client side.
  package let base: String
  /// The path of the route on the server side, and of the request on the client side.
  package let path: String
  /// The subprotocol that was agreed on.
  package let subprotocol: String?
  /// The request's headers of interest; empty on the client side.
  package let headers: RequestHeaders
  /// The other end.
  package let peer: Peer
  /// The address and port of the side that accepted, as this side's system has them: `127.0.0.1:4833`,
  /// `[::1]:4833`; empty on a Unix socket.
  package let endpoint: String
  /// The listener that accepted the connection; nil on the client side.
  package let listener: ListenerID?
}
