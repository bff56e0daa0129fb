/// A request to turn an HTTP connection into a WebSocket, after the library's own checks.
package struct UpgradeRequest: Sendable {
  /// The name that the connection will have.
  package let id: ConnectionID
  /// The route that was asked for.
  package let route: Route
  /// The subprotocol that will be agreed on.
  package let subprotocol: String?
  /// The headers of interest.
  package let headers: RequestHeaders
  /// Who asks.
  package let peer: Peer
  /// The listener that accepted the connection.
  package let listener: ListenerID
}
