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

/// The answer to a request for a WebSocket.
package enum Admission: Equatable, Sendable {
  /// Go on.
  case accept
  /// Answer with an HTTP status, and these headers, instead.
  case reject(status: Int, headers: [HTTPField] = [])
}
