internal import PaletteModel
internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  func respond(to request: HTTPRequest) -> HTTPResponse {
    switch request.path {
    case "/healthz": .text("ok\n")
    case "/readyz": readiness
    default: HTTPResponse(status: 404)
    }
  }

  /// Whether the library answers.
  private var readiness: HTTPResponse {
    do {
      _ = try store.digest()
      return .text("ready\n")
    } catch {
      return HTTPResponse(status: 503)
    }
  }

  /// The token that a request carries: as a bearer, or in the cookie of the page's session.
  func token(in headers: RequestHeaders) -> String? {
    if let authorization = headers.authorization {
      let parts = authorization.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      return String(parts[1])
    }
    return headers.cookie.flatMap { Self.cookie(endpoints.cookieName, in: $0) }
  }

  /// The value of a cookie in the header of that name.
  static func cookie(_ name: String, in header: String) -> String? {
    for part in header.split(separator: ";") {
      let pair = part.drop { $0 == " " }
      if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
    }
    return nil
  }
}

extension HTTPResponse {
  static func text(_ text: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        HTTPField("content-type", "text/plain; charset=utf-8"),
        HTTPField("cache-control", "no-store"),
      ],
      body: Array(text.utf8)
    )
  }
}
