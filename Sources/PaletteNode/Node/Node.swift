public import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
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

  private let thread: LoopThread<NodeHandler>
  /// The listener in the home reaches its path through it to the end.
  private let home: HomeFolder

  /// How long to wait for a command that writes at this moment, and may sync for 2 seconds after.
  private static let commandMilliseconds = 5_000
  /// How long to wait for another node, which might be ending.
  private static let nodeMilliseconds = 1_000

  /// Opens the library, which is made when it is missing, and listens.
  ///
  /// - Throws: `bad-usage` for settings that cannot be right, `locked` when another node runs, and why it
  ///   cannot listen otherwise.
  public init(at location: LibraryLocation, settings: NodeSettings = NodeSettings())
    throws(APIError)
  {
    try settings.check()
    let started = Mutex<(home: HomeFolder, endpoints: NodeEndpoints, code: String)?>(nil)
    LibraryLog.setSink { level, line in
      settings.log(NodeLog(level == .error ? .error : .warning, line))
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
        if let closing { settings.log(NodeLog(.warning, closing)) }
        let home = try HomeFolder(folder.path)
        let endpoints = try Self.listen(loop, home, folder, settings)
        let pageLinks = PageLinks()
        let code = pageLinks.makeCode(atMilliseconds: store.nowMilliseconds)
        started.withLock { $0 = (home, endpoints, code) }
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
    guard let (home, endpoints, code) = started.withLock({ $0 }) else {
      preconditionFailure("a loop that runs has been set up")
    }
    self.home = home
    url = endpoints.url
    pageLink = "\(endpoints.pageURL)/#\(code)"
    settings.log(NodeLog(.info, "listening", [("url", JSON(url))]))
  }

  /// Answers one request on the node's thread, and waits for it.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    let answer = Mutex<Result<any Answer, APIError>?>(nil)
    guard let isAnswered = Signal() else {
      throw APIError(code: "failed", message: "there are no file descriptors left")
    }
    let isTaken = thread.perform { _, handler in
      do throws(APIError) {
        let found = try handler.library.answer(request)
        answer.withLock { $0 = .success(found) }
      } catch {
        answer.withLock { $0 = .failure(error) }
      }
      isAnswered.raise()
    }
    if isTaken { isAnswered.wait() }
    guard let result = answer.withLock({ $0 }) else {
      throw APIError(code: "failed", message: "the node has ended")
    }
    return try result.get()
  }

  /// Waits until a peer has given what is missing in a palette's past, or none can.
  package func fetchHistory(of palette: String) {
    guard let isSettled = Signal() else { return }
    let isTaken = thread.perform { _, handler in
      handler.fetchHistory(of: palette) { isSettled.raise() }
    }
    if isTaken { isSettled.wait() }
  }

  /// Reads the certificate again, for everyone who connects from now on; all else goes on.
  ///
  /// The log says whether that was possible; the certificate before stays in use otherwise.
  public func reloadCertificate() {
    _ = thread.perform { _, handler in handler.reloadCertificate() }
  }

  /// Closes every connection with 1001, writes back what the library holds in memory, and ends.
  public func stop() {
    thread.beginShutdown(code: .goingAway, reason: "the node ends", within: .seconds(3))
    thread.join()
  }
}

extension APIError {
  /// Why a node cannot start.
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
