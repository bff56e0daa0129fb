package import PaletteCommands
internal import PaletteJSON
package import PalettePlatform
internal import WebSocket

/// A WebSocket to a node's API, for one caller that waits.
///
/// Plain system calls: a command that does one thing must not pay for an event loop.
package final class NodeConnection {
  /// The most bytes of a message.
  private static let messageLimit = 1 << 30

  /// The time that a node may take to take a caller in, which it does at once unless it is stopped.
  private static let patienceSeconds = 5

  private let descriptor: CInt
  private var reader: FrameReader
  /// The process that answers; nil if it is not known.
  private let server: ServerProcess?
  private var random = SystemRandomNumberGenerator()

  /// Connects through the socket in the home; nil when no node has the library open.
  package init?(home: String) throws(APIError) {
    guard let folder = try? HomeFolder(home) else { return nil }
    guard let descriptor = folder.connectedSocket(withinSeconds: Self.patienceSeconds) else {
      // So many wait already that the system does not let another one wait.
      if errno == EAGAIN { throw Self.silent }
      return nil
    }
    self.descriptor = descriptor
    reader = FrameReader(limit: Self.messageLimit)
    server = ServerProcess(of: descriptor)
    limitReading(seconds: Self.patienceSeconds)
    do throws(APIError) {
      try shakeHands(host: "localhost")
    } catch  where error == Self.ended {
      // It was about to end, and was asked for nothing yet.
      return nil
    }
    // An answer may take as long as what it is about.
    limitReading(seconds: 0)
  }

  /// Connects to a node that listens without TLS on this machine.
  package init(port: UInt16, path: String = "/rpc", token: String) throws(APIError) {
    guard let descriptor = Self.connectedSocket(port: port) else {
      throw APIError(code: "unreachable", message: "nobody listens at port \(port)")
    }
    self.descriptor = descriptor
    reader = FrameReader(limit: Self.messageLimit)
    server = nil
    try shakeHands(host: "127.0.0.1", path: path, "Authorization: Bearer \(token)\r\n")
  }

  deinit {
    close(descriptor)
  }

  /// Sends a text message.
  package func send(_ text: [UInt8]) throws(APIError) {
    try write(FrameEncoder.frame(.text, text, mask: random.next()))
  }

  /// Waits for the next text message; nil when the node closed the connection.
  package func receive() throws(APIError) -> [UInt8]? {
    while true {
      switch try reader.next() {
      case .message(let text): return text
      case .ping(let payload):
        try write(FrameEncoder.frame(.pong, payload, mask: random.next()))
      case .closed: return nil
      case nil: guard try read() else { return nil }
      }
    }
  }

  /// Returns whether something has come, or the end, within some time.
  private func hasMessage(withinMilliseconds time: CInt) -> Bool {
    if reader.hasEvents { return true }
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, time) != 0
  }

  /// Returns whether the node has been stopped for as long as anybody would wait for it.
  func isStopped(since: inout ContinuousClock.Instant?) -> Bool {
    guard server?.isStopped == true else {
      since = nil
      return false
    }
    let now = ContinuousClock.now
    since = since ?? now
    return since.map { now - $0 >= .seconds(Self.patienceSeconds) } ?? false
  }

  private static func connectedSocket(port: UInt16) -> CInt? {
    let descriptor = Platform.openSocket(AF_INET)
    guard descriptor >= 0 else { return nil }
    guard LoopbackAddress.lend(port: port, to: { connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return nil
    }
    var yes: CInt = 1
    let level = CInt(IPPROTO_TCP)
    setsockopt(descriptor, level, TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    return descriptor
  }

  private func shakeHands(
    host: String,
    path: String = "/rpc",
    _ headers: String = ""
  ) throws(APIError) {
    let request =
      "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
      + "Sec-WebSocket-Protocol: hued.rpc.v1\r\n\(headers)\r\n"
    try write(Array(request.utf8))
    while true {
      if let head = reader.removeHead() {
        guard head.hasPrefix("HTTP/1.1 101 ") else {
          let status = head.prefix { $0 != "\r" }
          throw APIError(code: "failed", message: "the node answered '\(status)'")
        }
        return
      }
      guard try read() else { throw Self.ended }
    }
  }

  /// The node is gone although an answer is due.
  static let ended = APIError(
    code: "failed",
    message: "the node ended before it answered",
    hint: "look whether the edit was made before you repeat it"
  )

  /// The node is there, but does not answer.
  static let silent = APIError(
    code: "unreachable",
    message: "the node that runs here does not answer",
    hint: "is it stopped, or very busy? nothing was done"
  )

  /// The node was stopped while it was to answer.
  static let stopped = APIError(
    code: "unreachable",
    message: "the node that runs here was stopped before it answered",
    hint: "when it goes on, look at what became of it before you repeat it"
  )

  /// Ends each wait for bytes after some seconds; 0 for never.
  private func limitReading(seconds: Int) {
    Platform.limitWaiting(on: descriptor, to: SO_RCVTIMEO, seconds: seconds)
  }

  private func read() throws(APIError) -> Bool {
    let count = reader.fill { buffer in
      Platform.retried { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }
    if count < 0, errno == EAGAIN { throw Self.silent }
    // A node that was killed resets what it did not read.
    return count > 0
  }

  private func write(_ bytes: [UInt8]) throws(APIError) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Platform.retried {
          PalettePlatform.send(
            descriptor,
            bytes.baseAddress?.advanced(by: offset),
            bytes.count - offset,
            CInt(MSG_NOSIGNAL)
          )
        }
      }
      if count < 0, errno == EAGAIN {
        // A busy node takes more when it comes to it; what is not there whole is never carried out.
        guard server?.isStopped == false else { throw Self.silent }
        continue
      }
      guard count > 0 else { throw Self.ended }
      offset += count
    }
  }
}

/// The process at the other end of a Unix socket.
private struct ServerProcess {
  private let id: pid_t

  /// Asks the system whose the other end is; nil where that is in another space of processes.
  init?(of descriptor: CInt) {
    guard let id = Platform.processAtOtherEnd(of: descriptor) else { return nil }
    self.id = id
  }

  /// True if it does nothing until somebody lets it go on, as after Ctrl-Z or in a debugger.
  var isStopped: Bool {
    let file = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    // The state stands behind the name of the program, which may have brackets of its own.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count
    else { return false }
    return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
  }
}

extension NodeConnection: LibraryAPI {
  /// Lets the node answer one request.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    try call(request, report: nil)
  }

  /// Lets the node answer one request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - report: Receives the node's progress now and then, until the answer comes; what it throws ends
  ///     the waiting. Nil where nobody wants to know.
  /// - Returns: The answer.
  /// - Throws: What the node says is wrong, or what `report` throws.
  func call(_ request: Request, report: ProgressReport?) throws(APIError) -> any Answer {
    try send(request, asksForProgress: report != nil)
    var stoppedSince: ContinuousClock.Instant?
    while true {
      while !hasMessage(withinMilliseconds: Self.interval) {
        try report?(Progress(""))
        guard !isStopped(since: &stoppedSince) else { throw Self.stopped }
      }
      guard let message = try receive() else { throw Self.ended }
      // Notifications may come first; the answer is known by its id.
      switch try Self.content(of: message) {
      case .result(let result): return ReceivedAnswer(result)
      case .progress(let progress): try report?(progress)
      case .other: continue
      }
    }
  }

  /// Asks the node, and does not wait for the answer.
  func send(_ request: Request, asksForProgress: Bool = false) throws(APIError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0" as String?)
    writer.member("id", 1)
    writer.member("method", request.method)
    writer.member("params", request.parameters)
    if asksForProgress { writer.member("progress", true) }
    writer.endObject()
    try send(writer.bytes)
  }

  /// The time that to wait before saying so again.
  private static let interval: CInt = 100

  /// The way in which a node begins an answer, so that a long one need not be parsed to be passed
  /// on.
  private static let prefix = Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8)

  /// The subject of a message from the node.
  private enum MessageContent {
    case result([UInt8])
    case progress(Progress)
    case other
  }

  /// Returns the answer that a message is; nil where it is another one, or says what went wrong.
  static func answer(in message: [UInt8]) -> JSON? {
    guard case .result(let result) = try? content(of: message) else { return nil }
    return try? JSON(answer: result)
  }

  private static func content(of message: [UInt8]) throws(APIError) -> MessageContent {
    if message.starts(with: prefix) {
      return .result(Array(message[prefix.count..<(message.count - 1)]))
    }
    let document = try JSON(answer: message)
    guard document["method"].isNull else {
      guard document["method"] == "progress" else { return .other }
      return .progress(Progress(document["params"] ?? .null))
    }
    let error = document["error"]
    guard error.isObject else { return .result((document["result"] ?? .null).bytes) }
    throw APIError(
      code: error["data"]["code"].stringValue ?? "failed",
      message: error["data"]["message"].stringValue ?? error["message"].stringValue
        ?? "the node failed",
      hint: error["data"]["hint"].stringValue
    )
  }
}

/// The address of this machine that only it can reach.
package enum LoopbackAddress {
  /// Lends a port's address to `body`, as the functions of sockets take it.
  package static func lend<Result>(
    port: UInt16,
    to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
