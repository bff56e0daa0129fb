package import PaletteCommands
package import PaletteJSON
package import PalettePeers
package import PaletteStore
internal import Synchronization
internal import WebSocket

/// A process that serves libraries by name, at one address.
///
/// It works on a thread of its own until it is stopped. The directory says which libraries it serves, and opens
/// and closes them there.
package final class Hub: Sendable {
  /// The URL at which the hub listens, with the real port.
  package let url: String

  private let thread: LoopThread<NodeProcess>
  private let logLine: @Sendable (NodeLog) -> Void

  /// Listens.
  ///
  /// - Parameters:
  ///   - settings: Where to listen, and how libraries are served.
  ///   - limits: The budgets of the process.
  ///   - makeDirectory: Makes the directory, on the loop's thread.
  /// - Throws: `bad-usage` for settings that cannot be right, and why it cannot listen otherwise.
  package init(
    settings: NodeSettings,
    limits: ProcessLimits,
    directory makeDirectory: @escaping @Sendable (HubRooms) throws -> any LibraryDirectory
  ) throws(APIError) {
    try settings.check()
    let url = Mutex("")
    do {
      let routes = NodeRoute.all(echoes: false)
      var configuration = LoopConfiguration(routes: routes)
      configuration.isBase = LibraryPath.isBase
      thread = try LoopThread(configuration) { loop in
        let process = NodeProcess(loop, settings: settings, limits: limits)
        let rooms = HubRooms(loop, process, settings)
        rooms.endpoints = try process.listen(settings, serving: try makeDirectory(rooms))
        url.withLock { $0 = rooms.endpoints.url }
        return process
      }
    } catch {
      throw APIError(starting: error)
    }
    self.url = url.withLock { $0 }
    logLine = settings.log
    logLine(
      NodeLog(
        .info,
        .start,
        "listening",
        [("version", JSON(Release.version)), ("url", JSON(self.url))]
      )
    )
  }

  /// Runs `body` on the thread of the loop, unless that has ended.
  ///
  /// - Returns: Whether it will run.
  @discardableResult
  package func perform(_ body: @escaping @Sendable (any LibraryDirectory) -> Void) -> Bool {
    thread.perform(isUrgent: true) { _, process in
      if let directory = process.directory { body(directory) }
    }
  }

  /// Reads the certificate again, for everyone who connects from now on.
  package func reloadCertificate() {
    _ = thread.perform { _, process in process.reloadCertificate() }
  }

  /// Closes every connection with 1001, and ends.
  package func stop(because reason: String) {
    logLine(NodeLog(.info, .stop, "stopping", [("reason", JSON(reason))]))
    thread.beginShutdown(code: .goingAway, reason: "the hub ends", within: .seconds(3))
    thread.join()
    logLine(NodeLog(.info, .stop, "stopped"))
  }
}

/// The rooms of a hub, for its directory; for the loop's thread alone.
package final class HubRooms {
  fileprivate var endpoints = NodeEndpoints.none
  private unowned let loop: EventLoop
  private unowned let process: NodeProcess
  private let settings: NodeSettings

  fileprivate init(_ loop: EventLoop, _ process: NodeProcess, _ settings: NodeSettings) {
    self.loop = loop
    self.process = process
    self.settings = settings
  }

  /// True if another room may be opened, perhaps in the place of one that nobody uses.
  package var hasPlace: Bool { process.hasPlace }

  /// Opens the room of a library whose store is open.
  ///
  /// - Parameters:
  ///   - name: The name that leads to it.
  ///   - location: Where the library is.
  ///   - store: Its store.
  ///   - onIdle: Told that the room was closed, because nobody used it.
  /// - Returns: Its place among the rooms.
  /// - Throws: `busy` when so many are in use that no more may be open.
  package func open(
    _ name: String,
    _ location: LibraryLocation,
    _ store: ChangeStore,
    onIdle: @escaping () -> Void
  ) throws -> RoomKey {
    try process.open(name, at: endpoints, location, settings, store, onIdle: onIdle)
  }

  /// Sends everybody away who is connected to a library, and closes its room.
  package func close(_ key: RoomKey, because reason: String) {
    process.close(key, because: reason)
  }

  /// Sends everybody away who is connected to a library, which stays open.
  package func sendAway(_ key: RoomKey, because reason: String) {
    process.sendAway(key, because: reason)
  }

  /// Writes a line to the log of the process.
  package func log(
    _ event: LogEvent,
    isProblem: Bool = false,
    _ message: String,
    _ fields: [(key: String, value: JSON)] = []
  ) {
    settings.log(NodeLog(isProblem ? .warning : .info, event, message, fields))
  }

  /// Lets the program use an open room's library.
  package func answer(_ request: Request, in key: RoomKey) throws -> any Answer {
    try process.use(key) { room in try room.answer(request) }
  }

  /// Lets the requests go on that waited for libraries which are not being fetched any more.
  package func passFetched() { loop.passFetched() }

  /// The moment at which somebody last came into a room, or asked for something there; nil for one that is closed.
  package func lastUse(of key: RoomKey) -> ContinuousClock.Instant? { process.lastUse(of: key) }

  /// Calls `body` on the loop's thread after a time.
  package func schedule(after delay: Duration, _ body: @escaping () -> Void) {
    loop.schedule(after: delay, body)
  }

  /// Runs work on another thread, and passes its result to the loop's thread.
  ///
  /// - Parameters:
  ///   - isSlow: Whether it may take seconds, so that nothing else may wait for it.
  ///   - work: The work; it may touch nothing of the loop.
  ///   - then: Gets its result.
  /// - Returns: Whether it was taken: there is a limit to what waits.
  package func perform<Result: Sendable>(
    isSlow: Bool = false,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool {
    loop.perform(holding: 0, isSlow: isSlow, work, then: then)
  }
}
