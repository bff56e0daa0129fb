internal import PaletteCommands
internal import PaletteMerge
internal import PalettePeers
internal import WebSocket

/// Reads the messages of clients, in the order in which they came on each connection.
///
/// Long ones, and those that take a part of their calls' work, are read beside the loop.
final class MessageReader {
  /// The longest message that is read on the loop.
  private static let readHereLimit = 64 << 10

  private unowned let loop: EventLoop
  private let sync: SyncShell
  private let clients: Clients
  private let onRead: (RPCRequest, ConnectionID, Caller) -> Void
  /// The messages that wait until one before them on their connection is read.
  private var unread: [ConnectionID: [Message]] = [:]

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - loop: The loop.
  ///   - sync: The owner of the loop's time.
  ///   - clients: Those whose messages are read.
  ///   - onRead: Receives each message that is read, and who sent it.
  init(
    _ loop: EventLoop,
    _ sync: SyncShell,
    _ clients: Clients,
    onRead: @escaping (RPCRequest, ConnectionID, Caller) -> Void
  ) {
    self.loop = loop
    self.sync = sync
    self.clients = clients
    self.onRead = onRead
  }

  /// True if no message is being read beside the loop.
  var isIdle: Bool { unread.isEmpty }

  /// A message has arrived.
  func receive(_ message: Message, on id: ConnectionID, token: String?) {
    guard let rights = clients.rights(of: token) else {
      return loop.close(id, code: Clients.notValid, reason: "the token is not valid now")
    }
    guard message.kind == .text else {
      return loop.close(id, code: CloseCode(rawValue: 1003), reason: "JSON comes as text")
    }
    guard message.bytes.count <= Clients.readerMessageLimit || rights.trust.edits(nil) else {
      return loop.close(id, code: .messageTooBig)
    }
    guard loop.queuedBytes(of: id) <= Clients.backlogLimit else { return clients.overflow(id) }
    // What came before is still being read.
    if let waiting = unread[id] {
      let bytes = waiting.reduce(message.bytes.count) { $0 + $1.bytes.count }
      guard bytes <= NodeRoute.rpcLimit else { return clients.overflow(id) }
      unread[id]?.append(message)
      return loop.pause(id)
    }
    let caller = Caller(token, rights.member, paying: clients.payer(of: id), clients)
    guard message.bytes.count <= Self.readHereLimit else {
      let mayPrepare = rights.allows(.editor)
      return readBeside(message.bytes.count, on: id, caller) {
        var request = RPCRequest(parsing: message.bytes)
        if mayPrepare { request.prepare() }
        return request
      }
    }
    let request = sync.core.time.spend(for: caller.payer) {
      RPCRequest(parsing: message.bytes)
    }
    guard request.needsPreparation, rights.allows(.editor) else {
      return onRead(request, id, caller)
    }
    readBeside(message.bytes.count, on: id, caller) {
      var request = request
      request.prepare()
      return request
    }
  }

  /// Forgets what a client sent.
  func remove(_ id: ConnectionID) {
    unread[id] = nil
  }

  /// Parses a message on another thread; later messages of its connection wait.
  private func readBeside(
    _ bytes: Int,
    on id: ConnectionID,
    _ caller: Caller,
    _ read: @escaping @Sendable () -> RPCRequest
  ) {
    let isAccepted = loop.perform(holding: bytes, read) { [weak self] request in
      self?.haveRead(request, on: id, caller)
    }
    guard isAccepted else { return clients.overflow(id) }
    unread[id] = []
    loop.pause(id)
  }

  /// A message has been read beside the loop, and so it is the turn of those behind it.
  private func haveRead(_ request: RPCRequest, on id: ConnectionID, _ caller: Caller) {
    guard let waiting = unread.removeValue(forKey: id), case .rpc(let token)? = clients[id] else {
      return
    }
    loop.resume(id)
    onRead(request, id, caller)
    for message in waiting { receive(message, on: id, token: token) }
  }
}
