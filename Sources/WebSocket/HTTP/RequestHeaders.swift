/// The headers of a request that anyone here acts on; the rest is never copied.
package struct RequestHeaders: Equatable, Sendable {
  /// The authority that the client believes it talks to.
  package var host: String?
  /// The web origin of the page that makes the request; only browsers send one.
  package var origin: String?
  /// The credentials.
  package var authorization: String?
  /// The cookies, as sent.
  package var cookie: String?
  /// The entity tags that the client already holds.
  package var ifNoneMatch: String?
  /// The encodings of bodies that the client reads.
  package var acceptEncoding: String?
  /// The name that the client gives itself; a stranger's text.
  package var userAgent: String?

  /// Creates headers.
  package init(
    host: String? = nil,
    origin: String? = nil,
    authorization: String? = nil,
    cookie: String? = nil,
    ifNoneMatch: String? = nil,
    acceptEncoding: String? = nil,
    userAgent: String? = nil
  ) {
    self.host = host
    self.origin = origin
    self.authorization = authorization
    self.cookie = cookie
    self.ifNoneMatch = ifNoneMatch
    self.acceptEncoding = acceptEncoding
    self.userAgent = userAgent
  }
}
