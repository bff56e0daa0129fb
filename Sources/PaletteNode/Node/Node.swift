public import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import Synchronization
internal import WebSocket

/// A running node: a library that is open for writing, and everyone who is connected to it.
///
/// It works on a thread of its own until it is stopped; it must be stopped, or the thread runs on.
public final class Node: Sendable {
  /// The URL at which the node listens, with the real port.
  public let url: String
  /// The URL that opens the web page, once; nil where the node serves none.
  public let pageLink: String?

  let thread: LoopThread<NodeProcess>
  /// The library of this node in its process.
  let key: RoomKey
  private let logLine: @Sendable (NodeLog) -> Void
  private let start = ContinuousClock.now

  /// Opens the library, which is made when it is missing, and listens.
  ///
  /// - Throws: `bad-usage` for settings that cannot be right, `locked` when another node runs, and why it
  ///   cannot listen otherwise.
  public convenience init(at location: LibraryLocation, settings: NodeSettings = NodeSettings())
    throws(APIError)
  {
    try self.init(at: location, settings: settings, limits: ProcessLimits())
  }

  /// Opens the library in a process with limits, for other libraries that come into it.
  package convenience init(
    at location: LibraryLocation,
    settings: NodeSettings,
    limits: ProcessLimits
  ) throws(APIError) {
    try settings.check()
    let opened = Mutex<NodeProcess.Opened?>(nil)
    let lines = LibraryLines()
    LibraryLog.setSink { _, text in
      let now = systemMilliseconds()
      guard let line = lines.line(for: text, atMilliseconds: now) else { return }
      settings.log(NodeLog(.warning, .network, line))
    }
    let thread: LoopThread<NodeProcess>
    do {
      let routes = NodeRoute.all(echoes: settings.echoes)
      thread = try LoopThread(LoopConfiguration(routes: routes)) { loop in
        let process = NodeProcess(loop, settings: settings, limits: limits)
        let outcome = try process.open(location, settings)
        opened.withLock { $0 = outcome }
        return process
      }
    } catch {
      throw APIError(starting: error)
    }
    guard let opened = opened.withLock({ $0 }) else {
      preconditionFailure("a loop that runs has been set up")
    }
    self.init(thread, opened, location, settings)
  }

  /// Opens another library in the process of a node; it ends with that one.
  package convenience init(
    beside other: Node,
    at location: LibraryLocation,
    settings: NodeSettings
  ) async throws(APIError) {
    try settings.check()
    let opened: NodeProcess.Opened
    do {
      opened = try await other.thread.call { _, process in try process.open(location, settings) }
    } catch {
      throw APIError(starting: error)
    }
    self.init(other.thread, opened, location, settings)
  }

  private init(
    _ thread: LoopThread<NodeProcess>,
    _ opened: NodeProcess.Opened,
    _ location: LibraryLocation,
    _ settings: NodeSettings
  ) {
    self.thread = thread
    key = opened.key
    url = opened.endpoints.url
    pageLink = settings.page.map { _ in "\(opened.endpoints.pageURL)/#\(opened.code)" }
    logLine = settings.log
    let head: [(key: String, value: JSON)] = [
      ("version", JSON(Release.version)), ("home", JSON(location.home)), ("url", JSON(url)),
    ]
    logLine(NodeLog(.info, .start, "listening", head + opened.counts))
  }

  /// Answers one request on the node's thread, and waits for it.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    let answer = Mutex<Result<any Answer, APIError>?>(nil)
    guard let isAnswered = Signal() else {
      throw APIError(code: "failed", message: "there are no file descriptors left")
    }
    let isAccepted = thread.perform { [key] _, process in
      do {
        let found = try process.use(key) { room in try room.answer(request) }
        answer.withLock { $0 = .success(found) }
      } catch {
        answer.withLock { $0 = .failure(APIError(any: error)) }
      }
      isAnswered.raise()
    }
    if isAccepted { isAnswered.wait() }
    guard let result = answer.withLock({ $0 }) else {
      throw APIError(code: "failed", message: "the node has ended")
    }
    return try result.get()
  }

  /// Waits until a peer has given what is missing in a palette's past, or none can.
  package func fetchHistory(of palette: String) {
    guard let isSettled = Signal() else { return }
    let isAccepted = thread.perform { [key] _, process in
      do {
        try process.use(key) { room in room.fetchHistory(of: palette) { isSettled.raise() } }
      } catch {
        isSettled.raise()
      }
    }
    if isAccepted { isSettled.wait() }
  }

  /// Reads the certificate again, for everyone who connects from now on; all else goes on.
  ///
  /// The log says whether that was possible; the certificate before stays in use otherwise.
  public func reloadCertificate() {
    _ = thread.perform { _, process in process.reloadCertificate() }
  }

  /// Runs `body` on the node's thread, as soon as that has done what it was asked before.
  package func whenFree(_ body: @escaping @Sendable () -> Void) {
    _ = thread.perform { _, _ in body() }
  }

  /// Closes every connection with 1001, writes back what the library holds in memory, and ends.
  ///
  /// - Parameter reason: Why, for the log.
  public func stop(because reason: String = "it was asked to") {
    logLine(NodeLog(.info, .stop, "stopping", [("reason", JSON(reason))]))
    thread.beginShutdown(code: .goingAway, reason: "the node ends", within: .seconds(3))
    thread.join()
    let seconds = start.duration(to: .now).components.seconds
    logLine(NodeLog(.info, .stop, "stopped", [("uptimeSeconds", JSON(Int(seconds)))]))
  }
}

extension APIError {
  /// The reason why a node cannot start.
  init(starting error: any Error) {
    guard let error = error as? WebSocketError else {
      self.init(any: error)
      return
    }
    self.init(
      code: error.code == .badCertificate ? "bad-file" : "failed",
      message: error.message,
      hint: error.code == .addressUnavailable
        ? "choose another address with --listen HOST:PORT" : nil
    )
  }
}
