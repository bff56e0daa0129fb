internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// Answers HTTP requests about a library: the page's session, palettes as files, and what operators ask for.
final class Pages {
  private let library: OpenLibrary
  private let endpoints: NodeEndpoints
  private let tickets: PageTickets
  private let clients: Clients
  private let numbers: MetricsPage
  /// The palettes as files.
  private let files: PaletteFiles
  /// Counts and logs a request without the right to something.
  private let onRefusal: (HTTPRequest, _ reason: String) -> Void
  private let log: (NodeLog) -> Void

  private var store: ChangeStore { library.store }

  init(
    _ library: OpenLibrary,
    _ endpoints: NodeEndpoints,
    _ tickets: PageTickets,
    _ clients: Clients,
    _ numbers: MetricsPage,
    _ files: PaletteFiles,
    onRefusal: @escaping (HTTPRequest, _ reason: String) -> Void,
    log: @escaping (NodeLog) -> Void
  ) {
    self.library = library
    self.endpoints = endpoints
    self.tickets = tickets
    self.clients = clients
    self.numbers = numbers
    self.files = files
    self.onRefusal = onRefusal
    self.log = log
  }

  /// Returns whether a path is about a library; all others are those of the page's files, and the same for
  /// every library.
  static func owns(_ path: String) -> Bool {
    ["/readyz", "/session", "/metrics", "/api"].contains(path) || isOpen(toOtherSites: path)
  }

  /// Returns whether pages of other sites may ask for a path too.
  static func isOpen(toOtherSites path: String) -> Bool { path.hasPrefix(PaletteFiles.prefix) }

  /// Keeps at most so many bytes of files from now on.
  func limit(toBytes limit: Int) { files.limit(toBytes: limit) }

  /// True if no answer is outstanding.
  var isIdle: Bool { files.isIdle }

  /// Answers a GET or HEAD request for a path of a library; nil where the answer comes later.
  func respond(to request: HTTPRequest) -> HTTPResponse? {
    switch request.path {
    case "/readyz": return readiness
    case "/session": return session(request)
    case "/metrics": return guarded(request) { .text(numbers.text, type: MetricsText.contentType) }
    case "/api":
      return guarded(request) {
        .text(
          OpenRPC.document(url: endpoints.pageURL, path: NodeRoute.rpc).description,
          type: "application/json"
        )
      }
    case let path where path.hasPrefix(PaletteFiles.prefix):
      // A page of another site sends the browser's cookie without the person's knowing.
      let token = request.isForeign ? nil : clients.token(in: request.headers)
      let rights = { [clients] in token.flatMap { clients.rights(ofToken: $0) } }
      let member = rights()?.member
      // A browser's session ends without anybody's trying secrets.
      if member == nil, let bearer = Clients.bearer(in: request.headers),
        clients.rights(ofToken: bearer) == nil
      {
        onRefusal(request, "the token counts no more, or never did")
      }
      return files.response(
        to: path.dropFirst(PaletteFiles.prefix.count),
        request,
        from: member.map { .member($0.id) } ?? .stranger(request.peer.address),
        trust: { rights()?.trust }
      )
    default: return HTTPResponse(status: 404)
    }
  }

  /// The answer to `/readyz`: ready where the library can be read and written.
  private var readiness: HTTPResponse {
    do {
      try store.checkUsability()
      return .text("ready\n")
    } catch {
      // Strangers ask too: the code says what is wrong, and no path.
      return .text("the library cannot be used: \(APIError(any: error).code)\n", status: 503)
    }
  }

  /// Guards an address that is open while only this machine can ask, and else to owners of the
  /// library.
  private func guarded(
    _ request: HTTPRequest,
    _ response: () -> HTTPResponse
  ) -> HTTPResponse {
    if endpoints.isPrivate || request.listener == endpoints.local { return response() }
    guard let token = Clients.bearer(in: request.headers),
      let rights = clients.rights(ofToken: token),
      rights.trust.shares
    else { return refusal(of: request, "an owner's token is needed for \(request.path)") }
    return response()
  }

  private func refusal(of request: HTTPRequest, _ reason: String) -> HTTPResponse {
    onRefusal(request, reason)
    return .unauthorized
  }

  /// Begins a session of the page with the code of its link.
  private func session(_ request: HTTPRequest) -> HTTPResponse {
    guard !request.isHead else {
      return HTTPResponse(status: 405, headers: [HTTPField("allow", "GET")])
    }
    if let worth = worth(ofSessionIn: request) { return worth }
    let code = Clients.bearer(in: request.headers)
    var kind = "link"
    var secret = code.flatMap { try? beginSession($0) }
    if secret == nil {
      kind = "join code"
      secret = code.flatMap { try? redeem(joinCode: $0) }
    }
    guard let secret, let half = try? store.pageHalf(of: secret) else {
      return refusal(of: request, "the page's code is not valid now")
    }
    let cookie =
      "\(endpoints.cookieName)=\(Secret.text(secret)); Max-Age=\(MemberTable.pageMilliseconds / 1_000)"
      + "; Path=\(endpoints.pagePath); HttpOnly; SameSite=Strict"
      + (endpoints.isEncrypted ? "; Secure" : "")
    log(
      NodeLog(
        .info,
        .session,
        "the page was opened with a \(kind)",
        [("address", JSON(request.peer.address))]
      )
    )
    // Cookies do not tell ports apart: the page's script keeps the second half for its origin.
    return HTTPResponse(
      status: 200,
      headers: [
        HTTPField("set-cookie", cookie), HTTPField("cache-control", "no-store"),
        HTTPField("content-type", "application/json"),
        HTTPField("x-content-type-options", "nosniff"),
      ],
      body: Array("{\"half\":\"\(half.hexDigits)\"}".utf8)
    )
  }

  /// Tells a page that shows the cookie of its session, and no code, what that is worth: an upgrade that
  /// is refused says no reason.
  ///
  /// - Returns: The answer; nil for a stranger.
  private func worth(ofSessionIn request: HTTPRequest) -> HTTPResponse? {
    guard request.headers.authorization == nil, let token = clients.token(in: request.headers),
      let secret = Secret.bytes(token), let found = try? store.members.caller(secret: secret)
    else { return nil }
    let kept = [
      HTTPField("cache-control", "no-store"), HTTPField("x-content-type-options", "nosniff"),
    ]
    switch found {
    case .success: return HTTPResponse(status: 204, headers: kept)
    case .failure(.revoked):
      let answer: JSON = ["refusal": "revoked", "owner": .string(nameOfRevoker(ofSecret: secret))]
      let type = HTTPField("content-type", "application/json")
      return HTTPResponse(status: 401, headers: kept + [type], body: answer.bytes)
    case .failure: return nil
    }
  }

  /// The name of whoever took the rights back of the page that shows a secret.
  private func nameOfRevoker(ofSecret secret: [UInt8]) -> String {
    let revoker = (try? store.members.revoker(ofSecret: secret)) ?? .library
    let name = revoker == .library ? nil : try? store.authors.name(of: revoker)
    return name.flatMap { $0.isEmpty ? nil : $0 } ?? library.ownName
  }

  /// Uses up the code of a link that this node printed: the session is an owner's.
  ///
  /// - Returns: The secret of the session; nil when there is no such code, or no more.
  private func beginSession(_ code: String) throws -> [UInt8]? {
    guard tickets.redeem(code, atMilliseconds: store.nowMilliseconds) else { return nil }
    let secret = makeSecret()
    // Only the owner is told such links.
    let name = "\(library.ownName) (page)"
    try store.members.makeMember(.page, secret: secret, grant: Grant(.owner), name: name)
    return secret
  }

  /// Uses up a join code for the page; its role is that of the session.
  ///
  /// - Returns: The secret of the session; nil when the code gives no right.
  private func redeem(joinCode text: String) throws -> [UInt8]? {
    guard let code = try? JoinCode(text) else { return nil }
    let secret = makeSecret()
    guard case .success = try store.admission.redeem(pageCode: code.secret, fresh: secret) else {
      return nil
    }
    return secret
  }

  private func makeSecret() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

extension HTTPResponse {
  static func text(
    _ text: String,
    type: String = "text/plain; charset=utf-8",
    status: Int = 200
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HTTPField("content-type", type), HTTPField("cache-control", "no-store"),
        HTTPField("x-content-type-options", "nosniff"),
      ],
      body: Array(text.utf8)
    )
  }

  /// 401, and how to do better.
  static let unauthorized = HTTPResponse(
    status: 401,
    headers: [HTTPField("www-authenticate", "Bearer")]
  )
}
