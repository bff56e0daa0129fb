/// A GET or HEAD request; the library answers every other method itself.
package struct HTTPRequest: Sendable {
  /// The connection that the request came in on.
  package let id: ConnectionID
  /// Whether only the head of the response is wanted; the library leaves the body out by itself.
  package let isHead: Bool
  /// The path without the query, percent-decoded and normalised by libwebsockets.
  ///
  /// It also turns a literal `+` into a space, and a literal `&` or `;` into a comma; clients that
  /// mean these characters have to encode them.
  package let path: String
  /// The headers of interest.
  package let headers: RequestHeaders
  /// Who asks.
  package let peer: Peer
  /// Whether a page of another site asks: its cookies and tokens count for nothing.
  package let isForeign: Bool
  /// The listener that accepted the connection.
  package let listener: ListenerID
}
