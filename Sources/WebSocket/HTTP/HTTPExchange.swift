/// A response on its way out.
struct HTTPExchange {
  let response: HTTPResponse
  let keepsAlive: Bool
  let includesBody: Bool
  private var bodyOffset = 0
  private(set) var hasBegun = false

  init(_ response: HTTPResponse, keepsAlive: Bool, includesBody: Bool) {
    self.response = response
    self.keepsAlive = keepsAlive
    self.includesBody = includesBody && response.status != 204 && response.status != 304
  }

  var isFinished: Bool {
    hasBegun && (!includesBody || bodyOffset == response.body.count)
  }

  /// The next bytes to write: the head with the start of the body, then pieces of it.
  mutating func next(upTo limit: Int) -> [UInt8] {
    var piece = hasBegun ? [] : response.head(keepsAlive: keepsAlive)
    hasBegun = true
    if includesBody {
      let count = min(max(limit - piece.count, 0), response.body.count - bodyOffset)
      piece += response.body[bodyOffset..<bodyOffset + count]
      bodyOffset += count
    }
    return piece
  }
}

/// A GET or HEAD request; the library answers every other method itself.
package struct HTTPRequest: Sendable {
  /// The connection that the request came in on.
  package let id: ConnectionID
  /// True if only the head of the response is wanted; the library leaves the body out by itself.
  package let isHead: Bool
  /// The path without the query, percent-decoded and normalised by libwebsockets.
  ///
  /// It also turns a literal `+` into a space, and a literal `&` or `;` into a comma; clients that
  /// mean these characters have to encode them.
  package var path: String
  /// The headers of interest.
  package let headers: RequestHeaders
  /// The client.
  package let peer: Peer
  /// True if a page of another site asks: its cookies and tokens count for nothing.
  package let isForeign: Bool
  /// The listener that accepted the connection.
  package let listener: ListenerID
}

/// One header of an HTTP message.
package struct HTTPField: Equatable, Sendable {
  /// The name, in lower case.
  package let name: String
  /// The value.
  package let value: String

  /// Creates a field; characters that could end it early are replaced by spaces.
  package init(_ name: String, _ value: String) {
    self.name = Self.cleaned(name)
    self.value = Self.cleaned(value)
  }

  private static func cleaned(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 || $0 == 127 }) else { return text }
    let bytes = text.utf8.map { $0 < 32 || $0 == 127 ? UInt8(ascii: " ") : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The answer to an HTTP request.
package struct HTTPResponse: Equatable, Sendable {
  /// The status code.
  package let status: Int
  /// The headers; the library adds the length, the connection handling and nothing else.
  package let headers: [HTTPField]
  /// The body, sent in pieces as the client takes them.
  package let body: [UInt8]

  /// Creates a response.
  package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response whose body is its own standard phrase.
  package init(status: Int, headers: [HTTPField] = []) {
    self.init(
      status: status,
      headers: headers + [HTTPField("content-type", "text/plain; charset=utf-8")],
      body: Array("\(status) \(Self.phrase(status))\n".utf8)
    )
  }

  /// The head as it travels.
  ///
  /// 304 and the answers to HEAD state the length of a body that does not follow.
  func head(keepsAlive: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
    for field in headers {
      text += "\(field.name): \(field.value)\r\n"
    }
    if status != 204, status != 304 {
      text += "content-length: \(body.count)\r\n"
    }
    text += keepsAlive ? "connection: keep-alive\r\n\r\n" : "connection: close\r\n\r\n"
    return Array(text.utf8)
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 413: "Content Too Large"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}

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

  /// Creates headers.
  package init(
    host: String? = nil,
    origin: String? = nil,
    authorization: String? = nil,
    cookie: String? = nil,
    ifNoneMatch: String? = nil,
    acceptEncoding: String? = nil
  ) {
    self.host = host
    self.origin = origin
    self.authorization = authorization
    self.cookie = cookie
    self.ifNoneMatch = ifNoneMatch
    self.acceptEncoding = acceptEncoding
  }
}
