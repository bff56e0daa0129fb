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
  /// The URL that opens the web page, once.
  public let pageLink: String

  let thread: LoopThread<NodeHandler>
  private let logLine: @Sendable (NodeLog) -> Void
  private let start = ContinuousClock.now
  /// The listener in the home reaches its path through it to the end.
  private let home: HomeFolder

  /// The time that to wait for a command that writes at this moment, and may sync for 2 seconds
  /// after.
  private static let commandMilliseconds = 5_000
  /// The time that to wait for another node, which might be ending.
  private static let nodeMilliseconds = 1_000

  /// Opens the library, which is made when it is missing, and listens.
  ///
  /// - Throws: `bad-usage` for settings that cannot be right, `locked` when another node runs, and why it
  ///   cannot listen otherwise.
  public init(at location: LibraryLocation, settings: NodeSettings = NodeSettings())
    throws(APIError)
  {
    try settings.check()
    let started = Mutex<Started?>(nil)
    LibraryLog.setSink { level, line in
      settings.log(NodeLog(level == .error ? .error : .warning, .network, line))
    }
    do {
      let folder = try LibraryFolder(location.home)
      let routes = NodeRoute.all(echoes: settings.echoes)
      thread = try LoopThread(LoopConfiguration(routes: routes)) { loop in
        // The lock first: whoever holds it is the one who may bind the socket in the home.
        let isServed = (try? HomeFolder(folder.path))?.canConnect == true
        let closing = folder.noteOnClosing
        let store = try ChangeStore(
          writing: folder,
          lockTimeoutMilliseconds: isServed ? Self.nodeMilliseconds : Self.commandMilliseconds
        )
        if let closing { settings.log(NodeLog(.warning, .storage, closing)) }
        let home = try HomeFolder(folder.path)
        let endpoints = try Self.listen(loop, home, folder, settings)
        let pageLinks = PageTickets()
        let code = pageLinks.makeCode(atMilliseconds: store.nowMilliseconds)
        let counts: [(key: String, value: JSON)] = [
          ("palettes", JSON(try store.totals().palettes)),
          ("colors", JSON(try store.totals().colors)),
          ("peers", JSON(try store.peers.all().count)),
          ("members", JSON(try Set(store.members.grants().compactMap(\.member?.id)).count)),
        ]
        started.withLock { $0 = Started(home, endpoints, code, counts) }
        return try NodeHandler(
          loop,
          library: OpenLibrary(
            location: location,
            store: store,
            urls: endpoints.url.isEmpty ? [] : [endpoints.url]
          ),
          settings: settings,
          endpoints: endpoints,
          pageLinks: pageLinks
        )
      }
    } catch {
      throw APIError(starting: error)
    }
    guard let started = started.withLock({ $0 }) else {
      preconditionFailure("a loop that runs has been set up")
    }
    home = started.home
    url = started.endpoints.url
    pageLink = "\(started.endpoints.pageURL)/#\(started.code)"
    logLine = settings.log
    let head: [(key: String, value: JSON)] = [
      ("version", JSON(Release.version)), ("home", JSON(location.home)), ("url", JSON(url)),
    ]
    logLine(NodeLog(.info, .start, "listening", head + started.counts))
  }

  /// Answers one request on the node's thread, and waits for it.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    let answer = Mutex<Result<any Answer, APIError>?>(nil)
    guard let isAnswered = Signal() else {
      throw APIError(code: "failed", message: "there are no file descriptors left")
    }
    let isAccepted = thread.perform { _, handler in
      do throws(APIError) {
        let found = try handler.answer(request)
        answer.withLock { $0 = .success(found) }
      } catch {
        answer.withLock { $0 = .failure(error) }
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
    let isAccepted = thread.perform { _, handler in
      handler.fetchHistory(of: palette) { isSettled.raise() }
    }
    if isAccepted { isSettled.wait() }
  }

  /// Reads the certificate again, for everyone who connects from now on; all else goes on.
  ///
  /// The log says whether that was possible; the certificate before stays in use otherwise.
  public func reloadCertificate() {
    _ = thread.perform { _, handler in handler.reloadCertificate() }
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

/// The outcome of the start, as the loop's thread reports it.
private struct Started: Sendable {
  let home: HomeFolder
  let endpoints: NodeEndpoints
  let code: String
  /// The amounts, for the log.
  let counts: [(key: String, value: JSON)]

  init(
    _ home: HomeFolder,
    _ endpoints: NodeEndpoints,
    _ code: String,
    _ counts: [(key: String, value: JSON)]
  ) {
    self.home = home
    self.endpoints = endpoints
    self.code = code
    self.counts = counts
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
