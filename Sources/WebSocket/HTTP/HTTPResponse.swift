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
