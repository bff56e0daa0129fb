import CWebSockets
import PalettePlatform

/// Holds whoever connects without TLS until the head of the request is there, and refuses a head that a
/// proxy could read in another way than libwebsockets.
///
/// A request for something that the handler is about to fetch is held until that is there.
///
/// The bytes stay in the socket for libwebsockets, which reads as much as there is: so only the first
/// request of a connection is seen here, and there is no second one. With TLS, which hued ends itself,
/// nobody but libwebsockets sees the bytes; a Unix socket is the owner's.
final class HeadCheck {
  private let fetchTimeout: Duration
  private let library: ServiceContext
  private let schedule: Schedule
  private let connections: Connections
  private let poller = Poller()
  /// The clients whose requests wait for something, by its name.
  private var fetching: [String: Set<ConnectionID>] = [:]

  init(
    _ configuration: LoopConfiguration,
    _ library: ServiceContext,
    _ schedule: Schedule,
    _ connections: Connections
  ) {
    fetchTimeout = configuration.fetchTimeout
    self.library = library
    self.schedule = schedule
    self.connections = connections
  }

  /// Whether the clients of a listener are held.
  static func applies(to listener: Listener) -> Bool {
    !listener.isLocal && listener.configuration.identity == nil
  }

  /// Adds the poller to libwebsockets, which then reports when more has arrived.
  func open() -> Bool { library.adoptFile(poller.descriptor, for: poller) }

  /// Holds a client that was accepted.
  func hold(_ descriptor: Int32, _ connection: Connection) {
    connection.held = HeldSocket(descriptor)
    if !poller.addArrivals(of: descriptor, connection.id) { connections.end(connection) }
  }

  /// Looks at what has arrived, if the poller says that something has.
  func serve(_ attachment: Attachment?) -> Bool {
    guard attachment === poller else { return false }
    for ready in poller.ready() {
      if let connection = connections[ready.id], let held = connection.held {
        look(at: held, of: connection, isLast: ready.hasEnded)
      }
    }
    return true
  }

  private func look(at held: HeldSocket, of connection: Connection, isLast: Bool) {
    switch held.look(isLast: isLast) {
    case .wait: break
    case .refuse:
      held.answer(HTTPResponse(status: 400).head(keepsAlive: false))
      connections.kill(connection)
    case .pass:
      poller.remove(held.descriptor)
      if let listener = connection.listener, let handler = connections.handler,
        let name = handler.fetch(held.target, for: listener.id, from: connection.peer.address)
      {
        fetching[name, default: []].insert(connection.id)
        schedule.run(after: fetchTimeout) { [unowned self, id = connection.id] in
          if fetching[name]?.remove(id) != nil { pass(id) }
        }
      } else {
        pass(connection.id)
      }
    }
  }

  /// Lets those requests through that wait for nothing any more.
  func passFetched() {
    guard let handler = connections.handler else { return }
    for name in fetching.keys.filter({ !handler.isFetching($0) }) {
      for id in fetching.removeValue(forKey: name) ?? [] { pass(id) }
    }
  }

  /// Gives a client that is still there to libwebsockets, which reads its request.
  private func pass(_ id: ConnectionID) {
    guard let connection = connections[id], let held = connection.held else { return }
    connection.held = nil
    connection.target = held.target
    guard let listener = connection.listener,
      library.adoptClient(held.release(), of: listener, for: connection)
    else { return connections.end(connection) }
  }
}

/// The socket of a client that nobody reads yet.
final class HeldSocket {
  /// The decision about a client.
  enum Verdict {
    /// More of the head may come.
    case wait
    /// It is for libwebsockets to answer.
    case pass
    case refuse
  }

  /// More than libwebsockets takes, which then refuses the request.
  private static let headLimit = 16 << 10
  /// The most pieces in which a head may come: looking at thousands of them, all of which stay, takes the
  /// system a second and more, for it seeks each from the first one on.
  static let pieceLimit = 64

  private(set) var descriptor: Int32
  private var head = RequestHead()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The target of its request; empty before the request line is there.
  var target: String { head.target }

  /// Looks at the bytes that wait, which keep waiting.
  ///
  /// - Parameter isLast: True if the client has ended its side. That nothing came along with an event does
  ///   not say so: what came may have been seen with the event before.
  /// - Returns: What follows from all that has come.
  func look(isLast: Bool) -> Verdict {
    guard SocketOptions.receivedSegments(descriptor) < Self.pieceLimit else { return .refuse }
    return withUnsafeTemporaryAllocation(byteCount: Self.headLimit, alignment: 1) { buffer in
      let count = max(
        0,
        recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
      )
      let isFinal = isLast || count == buffer.count
      switch head.verdict(on: buffer.prefix(count)) {
      case .ambiguous: return .refuse
      case .clear: return .pass
      case .incomplete where isFinal: return .pass
      case .incomplete: return .wait
      }
    }
  }

  /// Sends a short answer instead of reading on.
  ///
  /// What came is read before: closed with unread bytes, the system would take the answer back.
  func answer(_ bytes: [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      _ = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    }
    bytes.withUnsafeBytes {
      _ = PalettePlatform.send(
        descriptor,
        $0.baseAddress,
        $0.count,
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      )
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Gives the socket to somebody else, who closes it.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }
}
