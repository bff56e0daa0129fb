import COpenSSL
import CWebSockets

extension EventLoop {
  /// Begins to connect; `connected` or `failed` follows, never before this returns.
  package func connect(_ request: ConnectRequest) -> ConnectionID {
    let due = now + request.timeout.microseconds
    let connection = Connection(
      id: makeConnectionID(),
      listener: nil,
      peer: Peer(address: "", port: 0, userID: nil, isEncrypted: request.trust.isEncrypted),
      stage: .connecting(ConnectAttempt(request: request, due: due))
    )
    connection.patience = request.patience
    connections[connection.id] = connection
    if isShuttingDown {
      giveUp(connection, ConnectFailure(kind: .cancelled, message: "shutting down"))
      return connection.id
    }
    switch request.endpoint {
    case .unix(let path):
      attempt(connection, addresses: ["+\(path)"])
    case .tcp(let host, _):
      if Authority(host.contains(":") ? "[\(host)]" : host)?.isLiteral == true {
        attempt(connection, addresses: [host])
      } else {
        setDeadline(of: connection, after: request.timeout)
        resolve(host, for: connection)
      }
    }
    return connection.id
  }

  private func resolve(_ host: String, for connection: Connection) {
    let id = connection.id
    let inbox = inbox
    let isStarted = resolver.resolve(host) { result in
      _ = inbox.push(isUrgent: true) { loop in
        guard let connection = loop.connections[id] else { return }
        switch result {
        case .success(let addresses):
          loop.attempt(connection, addresses: addresses)
        case .failure(let error):
          loop.giveUp(connection, ConnectFailure(kind: .unreachable, message: error.message))
        }
      }
    }
    if !isStarted {
      giveUp(
        connection,
        ConnectFailure(kind: .unreachable, message: "too many names to look up")
      )
    }
  }

  /// Tries the next address.
  private func attempt(_ connection: Connection, addresses: [String]) {
    guard case .connecting(var attempt) = connection.stage, let address = addresses.first else {
      return
    }
    attempt.addresses = Array(addresses.dropFirst())
    attempt.verdict = nil
    connection.stage = .connecting(attempt)
    // Every address gets its share of the time that is left.
    let share = max(attempt.due - now, 0) / Int64(addresses.count)
    setDeadline(of: connection, after: .microseconds(share))
    guard let host = clientHost(for: attempt.request.trust) else {
      let message = "cannot read the authorities of \(attempt.request.trust)"
      giveUp(connection, ConnectFailure(kind: .untrusted, message: message))
      return
    }
    connection.socket = startConnecting(
      connection,
      attempt.request,
      address: address,
      host: host
    )
    // A failure inside the call is not reported by a callback.
    if connection.socket == nil { settle(connection, message: "cannot connect") }
  }

  private func startConnecting(
    _ connection: Connection,
    _ request: ConnectRequest,
    address: String,
    host: OpaquePointer
  ) -> OpaquePointer? {
    var info = lws_client_connect_info()
    info.context = context
    info.vhost = host
    if case .tcp(_, let port) = request.endpoint { info.port = Int32(port) }
    info.ssl_connection = connectFlags(request)
    info.ietf_version_or_minus_one = -1
    info.opaque_user_data = connection.opaque
    return address.withCString { address in
      request.host.withCString { host in
        request.path.withCString { path in
          (request.subprotocol ?? "").withCString { subprotocol in
            info.address = address
            info.host = host
            info.path = path
            info.protocol = request.subprotocol == nil ? nil : subprotocol
            return lws_client_connect_via_info(&info)
          }
        }
      }
    }
  }

  private func connectFlags(_ request: ConnectRequest) -> Int32 {
    // A redirect would carry the token to wherever the server says.
    var flags = LCCSCF_HTTP_NO_FOLLOW_REDIRECT.rawValue
    switch request.trust {
    case .plain: break
    case .system, .authority:
      flags |= LCCSCF_USE_SSL.rawValue
      // libwebsockets cuts the host at its first colon; `checkName` takes over for IPv6.
      if request.isIPv6 { flags |= LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue }
    case .pin:
      flags |=
        LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue
        | LCCSCF_ALLOW_INSECURE.rawValue | LCCSCF_ALLOW_EXPIRED.rawValue
        | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
    }
    return Int32(bitPattern: UInt32(flags))
  }

  /// The virtual host whose authorities a trust needs; made when first needed, since reading those
  /// of the system takes a while.
  private func clientHost(for trust: ServerTrust) -> OpaquePointer? {
    let key: ServerTrust
    switch trust {
    case .plain, .pin: key = .plain
    case .system, .authority: key = trust
    }
    if let host = clientHosts[key] { return host }
    let host = addHost { info in
      if case .authority(let file) = key {
        info.client_ssl_ca_filepath = permanent(file)
      } else {
        info.options &= ~UInt64(LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)
      }
    }
    clientHosts[key] = host
    return host
  }

  /// Ends an attempt for good, whatever libwebsockets is doing about it.
  func giveUp(_ connection: Connection, _ failure: ConnectFailure) {
    guard case .connecting(var attempt) = connection.stage else { return }
    attempt.verdict = attempt.verdict ?? failure
    if failure.kind == .cancelled { attempt.addresses = [] }
    connection.stage = .connecting(attempt)
    if connection.socket != nil {
      kill(connection)
    } else {
      end(connection)
    }
  }

  /// An address has failed: tries the next one, or ends the attempt.
  func settle(_ connection: Connection, message: String, status: Int? = nil) {
    guard case .connecting(var attempt) = connection.stage else { return }
    connection.socket = nil
    if attempt.verdict == nil {
      attempt.verdict = ConnectFailure(
        kind: status == nil ? .unreachable : .refused,
        message: message,
        status: status
      )
    }
    connection.stage = .connecting(attempt)
    let isWorthwhile = !attempt.isReached && attempt.verdict?.kind == .unreachable
    if isWorthwhile, !attempt.addresses.isEmpty, !isShuttingDown {
      let addresses = attempt.addresses
      later { [unowned self] in
        guard connections[connection.id] != nil else { return }
        self.attempt(connection, addresses: addresses)
      }
    } else {
      end(connection)
    }
  }
}

extension ConnectRequest {
  /// Whether the host is a literal IPv6 address.
  var isIPv6: Bool {
    if case .tcp(let host, _) = endpoint { host.contains(":") } else { false }
  }
}
