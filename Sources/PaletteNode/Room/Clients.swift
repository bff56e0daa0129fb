internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// The connected clients of a node beside its peers: their addresses and their rights.
final class Clients {
  /// Somebody who is connected through a WebSocket.
  enum Client {
    /// Speaks the RPC API; the token is nil on the Unix socket.
    case rpc(token: String?)
    /// Came with the cookie of a session of the page, and has not shown its second half yet.
    case page(token: String)
    /// Gets back what it sends.
    case echo
  }

  /// The origin of a connection: an address, and a member.
  struct Origin {
    let address: String
    /// The member that it is; nil for strangers and owners, and for peers that this node dials.
    fileprivate(set) var member: Member?

    /// The fields of a line of the log about it.
    var fields: [(key: String, value: JSON)] {
      guard let member else { return [] }
      return [("member", JSON(member.uid))]
        + (member.name.isEmpty ? [] : [("name", JSON(member.name))])
    }
  }

  /// The most bytes of a message from somebody who may not import files.
  static let readerMessageLimit = 64 << 10
  /// The bytes that may wait for a client, on all its connections, before its next call is carried out.
  static let backlogLimit = 16 << 20
  /// The time that a page has for showing the second half of its session.
  private static let pagePatience = Duration.seconds(5)
  /// The most bytes of the message in which it does.
  private static let pageMessageLimit = 1 << 10
  /// The most bytes that all unfinished messages of such a token may have, and of any other.
  private static let unfinishedLimits = (reader: 4 << 20, editor: 128 << 20)

  /// Closes a connection whose token, or session, is not valid.
  static let notValid = CloseCode(rawValue: 4401)

  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let settings: NodeSettings
  private let endpoints: NodeEndpoints
  private let metrics: NodeMetrics
  private let storedTokens: StoredTokenAuthority
  private var clients: [ConnectionID: Client] = [:]
  /// The rights of those who showed a token, as of when they came.
  private var trusts: [ConnectionID: Trust] = [:]
  /// The connections of the API by member.
  private var members = MemberConnections()
  /// The origins of all that are connected, peers too.
  private var origins: [ConnectionID: Origin] = [:]

  init(
    _ loop: EventLoop,
    _ store: ChangeStore,
    _ settings: NodeSettings,
    _ endpoints: NodeEndpoints,
    _ metrics: NodeMetrics
  ) {
    self.loop = loop
    self.store = store
    self.settings = settings
    self.endpoints = endpoints
    self.metrics = metrics
    storedTokens = StoredTokenAuthority(store: store)
  }

  // MARK: Who is there

  subscript(_ id: ConnectionID) -> Client? { clients[id] }

  /// True if there is no connection, not even one that is being closed.
  var isEmpty: Bool { origins.isEmpty }

  /// The connections of each member, with since when each is there, in milliseconds since 1970.
  var connectionsOfMembers: [Int64: [ConnectionID: Int64]] { members.all }

  /// The address of a connection.
  func address(of id: ConnectionID) -> String? { origins[id]?.address }

  /// The payer for a client of the API: its member, or the owner if it came in by the socket.
  func payer(of id: ConnectionID) -> Payer {
    if case .rpc(token: nil)? = clients[id] { return .owner }
    return members.member(of: id).map { .member($0) } ?? .stranger(origins[id]?.address ?? "")
  }

  /// The bytes of answers that whoever has a connection has not read yet, on any of its connections.
  func unreadBytes(of id: ConnectionID) -> Int {
    members.sum(over: id) { loop.queuedBytes(of: $0) }
  }

  /// Returns whether somebody may know of the library as a whole.
  func readsAll(_ id: ConnectionID) -> Bool { trusts[id]?.reads(nil) ?? true }

  /// Their number: commands on this machine, others of the API, and those who get their own back.
  var counts: (local: Int, remote: Int, echo: Int) {
    clients.values.reduce(into: (0, 0, 0)) { counts, client in
      switch client {
      case .rpc(token: nil): counts.0 += 1
      case .rpc, .page: counts.1 += 1
      case .echo: counts.2 += 1
      }
    }
  }

  /// The refusal of a client that wants to use the API; nil where it may.
  func refusal(of request: UpgradeRequest) -> (status: Int, reason: String)? {
    if request.listener == endpoints.local { return nil }
    guard let token = token(in: request.headers), let rights = rights(ofToken: token) else {
      return (401, "refused without a valid token")
    }
    if let member = rights.member, members.count(of: member.id) >= settings.connectionsOfMember {
      return (429, "too many connections of member \(member.uid)")
    }
    return nil
  }

  /// Somebody is connected.
  func add(_ connection: ConnectionInfo) {
    origins[connection.id] = Origin(address: connection.peer.address)
    switch connection.path {
    case NodeRoute.sync: break
    case NodeRoute.rpc:
      let isLocal = connection.listener == endpoints.local
      let token = isLocal ? nil : token(in: connection.headers)
      if let token, connection.headers.authorization == nil {
        awaitHalf(of: token, on: connection.id)
      } else {
        clients[connection.id] = .rpc(token: token)
      }
      let caller = token.flatMap { rights(ofToken: $0) }
      trusts[connection.id] = caller?.trust
      origins[connection.id]?.member = caller?.member
      if let member = caller?.member {
        members.add(connection.id, of: member.id, at: store.nowMilliseconds)
      }
      if case .rpc(let token?)? = clients[connection.id] {
        limitMessages(of: connection.id, token: token)
      }
    default:
      clients[connection.id] = .echo
    }
  }

  /// A peer is a member.
  func name(_ id: ConnectionID, _ member: Member) { origins[id]?.member = member }

  /// The fields of a line of the log about a connection.
  func fields(of id: ConnectionID) -> [(key: String, value: JSON)] {
    guard let origin = origins[id] else { return [] }
    return [("address", JSON(origin.address)), ("connection", "\(id)")] + origin.fields
  }

  /// Removes the origin of a closed connection.
  func removeOrigin(of id: ConnectionID) -> Origin {
    origins.removeValue(forKey: id) ?? Origin(address: "")
  }

  /// Forgets a client; tells whether it was one.
  func remove(_ id: ConnectionID) -> Bool {
    trusts[id] = nil
    members.remove(id)
    return clients.removeValue(forKey: id) != nil
  }

  // MARK: Messages

  /// Sends a message; a client that does not take what it asked for is disconnected.
  func send(_ bytes: [UInt8], as kind: Message.Kind = .text, to id: ConnectionID) {
    metrics.sent(bytes.count)
    if loop.send(bytes, as: kind, to: id) == .full { overflow(id) }
  }

  /// Disconnects a client that takes too little, or sends too much.
  func overflow(_ id: ConnectionID) {
    metrics.overflowed()
    loop.close(id, code: .tryAgainLater)
  }

  // MARK: What they may do

  /// The rights of a token; nil if it has none.
  func rights(ofToken token: String) -> CallerRights? { storedTokens.rights(ofToken: token) }

  /// The rights of a method's caller; nil if its token is not valid now.
  func rights(of token: String?) -> CallerRights? {
    if let token { rights(ofToken: token) } else { .local }
  }

  /// The token that a request shows by itself, or by the cookie of the page's session.
  ///
  /// A cookie is sent to whatever listens on any port of the host, so it opens files for reading and an
  /// upgrade, which has to show the second half of the session before anything is answered.
  func token(in headers: RequestHeaders) -> String? {
    if headers.authorization != nil { return Self.bearer(in: headers) }
    return headers.cookie.flatMap { Self.cookie(endpoints.cookieName, in: $0) }
  }

  /// The bearer of a request.
  static func bearer(in headers: RequestHeaders) -> String? {
    let parts = headers.authorization?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  /// The value of a cookie in the header of that name.
  static func cookie(_ name: String, in header: String) -> String? {
    for part in header.split(separator: ";") {
      let pair = part.drop { $0 == " " }
      if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
    }
    return nil
  }

  // MARK: The second half of the page's session

  /// Returns whether a text is the second half of the session whose cookie holds a token.
  func isHalf(_ text: String, of token: String) -> Bool {
    guard let secret = Secret.bytes(token), let shown = [UInt8](hexDigits: text.utf8),
      let half = try? store.pageHalf(of: secret)
    else { return false }
    // Hashes are compared, so that the time says nothing of how much is right.
    return SecretHash(of: shown) == SecretHash(of: half)
  }

  /// Takes a page in that has shown the second half of its session.
  ///
  /// - Returns: Whether it has.
  func open(_ id: ConnectionID, half: String) -> Bool {
    guard case .page(let token)? = clients[id], isHalf(half, of: token) else { return false }
    clients[id] = .rpc(token: token)
    limitMessages(of: id, token: token)
    return true
  }

  /// Gives a page a moment to show the second half of its session; until then it is nobody.
  private func awaitHalf(of token: String, on id: ConnectionID) {
    clients[id] = .page(token: token)
    loop.limit(
      id,
      to: ReceiveLimits(
        messageBytes: Self.pageMessageLimit,
        sender: token,
        unfinishedBytes: Self.unfinishedLimits.reader
      )
    )
    loop.schedule(after: Self.pagePatience) { [weak self] in
      guard let self, case .page? = clients[id] else { return }
      loop.close(id, code: Self.notValid, reason: "the page did not show its session")
    }
  }

  /// Lets a client send messages as long as its role needs them.
  private func limitMessages(of id: ConnectionID, token: String) {
    let isReader = rights(ofToken: token)?.trust.edits(nil) != true
    loop.limit(
      id,
      to: ReceiveLimits(
        messageBytes: isReader ? Self.readerMessageLimit : NodeRoute.rpcLimit,
        sender: token,
        unfinishedBytes: isReader ? Self.unfinishedLimits.reader : Self.unfinishedLimits.editor
      )
    )
  }

  /// True if the rights of anybody may have changed since `removeChanged` was asked.
  var mayHaveChanged: Bool { storedTokens.hasNews }

  /// Disconnects everyone whose token was revoked, has expired or has other rights now, so that nobody
  /// goes on watching what they may no longer see.
  ///
  /// - Returns: The connections that were closed.
  func removeChanged() -> [ConnectionID] {
    storedTokens.beginAsking()
    var removed: [ConnectionID] = []
    for case (let id, .rpc(let token?)) in clients {
      if let now = rights(ofToken: token)?.trust, now == trusts[id] { continue }
      removed.append(id)
    }
    for id in removed {
      _ = remove(id)
      loop.close(id, code: CloseCode(rawValue: 4401), reason: "the token is not valid now")
    }
    return removed
  }
}

/// The connections of each member, so that none takes all of them.
struct MemberConnections {
  private var members: [ConnectionID: Int64] = [:]
  /// The connections of each member, with since when each is there.
  private(set) var all: [Int64: [ConnectionID: Int64]] = [:]

  /// The member of a connection; nil if it has none.
  func member(of id: ConnectionID) -> Int64? { members[id] }

  /// The number of connections a member has.
  func count(of member: Int64) -> Int { all[member]?.count ?? 0 }

  /// The sum of something over all connections of whoever has this one.
  func sum(over id: ConnectionID, _ value: (ConnectionID) -> Int) -> Int {
    guard let member = members[id], let own = all[member] else { return value(id) }
    return own.keys.reduce(0) { $0 + value($1) }
  }

  mutating func add(_ id: ConnectionID, of member: Int64, at milliseconds: Int64) {
    remove(id)
    members[id] = member
    all[member, default: [:]][id] = milliseconds
  }

  mutating func remove(_ id: ConnectionID) {
    guard let member = members.removeValue(forKey: id) else { return }
    all[member]?[id] = nil
    if all[member]?.isEmpty == true { all[member] = nil }
  }
}
