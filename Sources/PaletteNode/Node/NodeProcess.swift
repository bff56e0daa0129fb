internal import PaletteCommands
internal import PaletteJSON
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import WebSocket

/// A process that serves libraries, on the thread of its loop.
///
/// It has what its rooms share: the loop with its listeners and certificates, the files of the page, the
/// refusals, the network, and one timer for all rooms. What comes in belongs to the library of the listener
/// that it came in by; a connection keeps its room, which stays open as long as anybody is connected to it.
final class NodeProcess: LoopHandler {
  /// The place of a connection: the room that it is in, and as what.
  private struct Seat {
    /// The library that was asked for; nil where this process connected.
    let key: RoomKey?
    let room: Room
    let isPeer: Bool
  }

  /// The outcome of looking for the room that somebody wants to enter.
  private enum Entrance {
    case room(RoomKey, Room)
    /// There is none: a status of HTTP, and headers.
    case closed(Int, [HTTPField] = [])
  }

  private unowned let loop: EventLoop
  private let log: (NodeLog) -> Void
  private let refusals: Refusals
  private let certificates: CertificateCare
  private let page: WebPage
  private let rooms: RoomTable
  private var network: NetworkMonitor?
  private var addresses = ServedAddresses()
  private var seats: [ConnectionID: Seat] = [:]
  private let heartbeat: Heartbeat
  /// True if idle rooms are closed in time.
  private var willCloseIdle = false

  /// The time to wait for a command that writes at this moment, and may sync for 2 seconds after.
  private static let commandMilliseconds = 5_000
  /// The time to wait for another node, which might be ending.
  private static let nodeMilliseconds = 1_000

  init(_ loop: EventLoop, settings: NodeSettings, limits: ProcessLimits) {
    self.loop = loop
    log = settings.log
    page = WebPage(settings.page)
    refusals = Refusals(loop, settings.log)
    certificates = CertificateCare(loop, every: settings.certificateInterval, log: settings.log)
    rooms = RoomTable(limits)
    heartbeat = Heartbeat(loop) { [rooms] key in rooms.openRoom(key) }
    network = NetworkMonitor(loop) { [weak self] in
      for room in self?.rooms.openRooms ?? [] { room.networkChanged() }
    }
    if network == nil {
      let reason = Platform.failureReason
      log(NodeLog(.debug, .network, "changes of the network are not told: \(reason)"))
    }
  }

  // MARK: Libraries

  /// The outcome of beginning to serve a library.
  struct Opened: Sendable {
    let key: RoomKey
    let endpoints: NodeEndpoints
    /// The code of the first link to the page.
    let code: String
    /// The contents of the library, in numbers.
    let counts: [(key: String, value: JSON)]
  }

  /// Opens a library, which is made when it is missing, its listeners and its room.
  func open(_ location: LibraryLocation, _ settings: NodeSettings) throws -> Opened {
    let folder = try LibraryFolder(location.home)
    // The lock first: whoever holds it is the one who may bind the socket in the home.
    let isServed = (try? HomeFolder(folder.path))?.canConnect == true
    let closing = folder.noteOnClosing
    // A process that serves others does not wait: all of them would.
    let patience =
      if !rooms.isEmpty { 0 } else if isServed { Self.nodeMilliseconds } else {
        Self.commandMilliseconds
      }
    let store = try ChangeStore(writing: folder, lockTimeoutMilliseconds: patience)
    if let closing { log(NodeLog(.warning, .storage, closing)) }
    let home = try HomeFolder(folder.path)
    let endpoints = try NodeEndpoints.open(loop, home, folder, settings)
    let library = hosted(location, settings, endpoints, home)
    let key = add(library)
    let code = library.tickets.makeCode(atMilliseconds: store.nowMilliseconds)
    let counts: [(key: String, value: JSON)] = [
      ("palettes", JSON(try store.totals().palettes)),
      ("colors", JSON(try store.totals().colors)),
      ("peers", JSON(try store.peers.all().count)),
      ("members", JSON(try Set(store.members.grants().compactMap { $0.member?.id }).count)),
    ]
    _ = try room(key) { try makeRoom(of: $0, store) }
    certificates.add(endpoints)
    return Opened(key: key, endpoints: endpoints, code: code, counts: counts)
  }

  /// Adds a library that has no listener; its room is opened when it is asked for.
  func add(_ location: LibraryLocation, _ settings: NodeSettings) -> RoomKey {
    add(hosted(location, settings, .none, nil))
  }

  private func add(_ library: HostedLibrary) -> RoomKey {
    let key = rooms.add(library)
    addresses.add(library.endpoints, of: key)
    return key
  }

  private func hosted(
    _ location: LibraryLocation,
    _ settings: NodeSettings,
    _ endpoints: NodeEndpoints,
    _ home: HomeFolder?,
    onIdle: (() -> Void)? = nil
  ) -> HostedLibrary {
    HostedLibrary(
      at: location,
      settings: settings,
      endpoints: endpoints,
      metrics: NodeMetrics(startMilliseconds: systemMilliseconds()),
      home: home,
      onIdle: onIdle
    )
  }

  // MARK: Libraries by name

  /// Opens a listener at which libraries are served by name.
  ///
  /// - Returns: Its addresses.
  /// - Throws: Why it cannot be opened.
  func listen(_ settings: NodeSettings, serving directory: any LibraryDirectory) throws
    -> NodeEndpoints
  {
    let endpoints = try NodeEndpoints.open(loop, settings)
    addresses.serve(
      directory,
      at: endpoints,
      // A proxy passes on what is beneath the names, and no more.
      showsNumbers: endpoints.isPrivate || settings.isBehindProxy
    )
    certificates.add(endpoints)
    return endpoints
  }

  /// Opens the room of a library that is served by name; the directory leads to it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - endpoints: The addresses of the listener.
  ///   - location: Where the library is.
  ///   - settings: The settings with which it is served.
  ///   - store: Its store.
  ///   - onIdle: Told that the room was closed because nobody used it.
  /// - Returns: Its place among the rooms.
  /// - Throws: `busy` when so many are in use that no more may be open.
  func open(
    _ name: String,
    at endpoints: NodeEndpoints,
    _ location: LibraryLocation,
    _ settings: NodeSettings,
    _ store: ChangeStore,
    onIdle: @escaping () -> Void
  ) throws -> RoomKey {
    let key = add(hosted(location, settings, endpoints.serving(name), nil, onIdle: onIdle))
    do {
      _ = try room(key) { try makeRoom(of: $0, store) }
    } catch {
      rooms.remove(key)
      throw error
    }
    return key
  }

  /// Sends everybody away who is connected to a library; its room stays open.
  func sendAway(_ key: RoomKey, because reason: String) {
    for (id, seat) in seats where seat.key == key {
      loop.close(id, code: .tryAgainLater, reason: reason)
    }
  }

  /// Sends everybody away who is connected to a library, and closes its room for good.
  func close(_ key: RoomKey, because reason: String) {
    guard let room = rooms.openRoom(key) else { return }
    for (id, seat) in seats where seat.room === room {
      seats[id] = nil
      loop.close(id, code: .tryAgainLater, reason: reason)
    }
    rooms.remove(key)
  }

  private func makeRoom(of library: HostedLibrary, _ store: ChangeStore) throws -> Room {
    let url = library.endpoints.url
    return try Room(
      of: OpenLibrary(location: library.location, store: store, urls: url.isEmpty ? [] : [url]),
      on: loop,
      settings: library.settings,
      endpoints: library.endpoints,
      tickets: library.tickets,
      metrics: library.metrics,
      refusals: refusals,
      connect: { [unowned self] request, room in
        let id = loop.connect(request)
        seats[id] = Seat(key: nil, room: room, isPeer: true)
        return id
      }
    )
  }

  // MARK: Rooms

  /// The room of a library, which is opened where it is closed.
  func room(_ key: RoomKey) throws -> Room {
    try room(key) { library in
      // Nobody may wait here for another process that has it: all rooms would.
      let folder = try LibraryFolder(library.location.home)
      return try makeRoom(of: library, ChangeStore(writing: folder, lockTimeoutMilliseconds: 0))
    }
  }

  private func room(_ key: RoomKey, open: (HostedLibrary) throws -> Room) throws -> Room {
    if let room = rooms.openRoom(key) {
      rooms.touch(key)
      return room
    }
    let room = try rooms.room(key, open: open)
    // The first beat dials the peers.
    heartbeat.wake(key)
    room.resumeLinks()
    if !willCloseIdle { closeIdle() }
    return room
  }

  /// The room that somebody wants to enter, who came in by a listener at an address beneath it; one that cannot
  /// be opened is logged.
  private func entrance(at listener: ListenerID?, _ base: String, for address: String) -> Entrance {
    switch addresses.destination(at: listener, base, for: address) {
    case .closed(let status, let headers): return .closed(status, headers)
    case .library(let key):
      do {
        return .room(key, try room(key))
      } catch {
        log(NodeLog(.error, .storage, "a library cannot be opened: \(error)"))
        return .closed(503)
      }
    }
  }

  /// Closes the rooms that were idle for long, and again when the next may be due.
  private func closeIdle() {
    let count = openRoomCount
    let delay = rooms.closeIdle()
    // What a room used lies among what others use, and mostly stays with the process otherwise.
    if openRoomCount < count { FreedMemory.giveBack() }
    guard let delay else { return }
    willCloseIdle = true
    loop.schedule(after: delay) { [weak self] in
      self?.willCloseIdle = false
      self?.closeIdle()
    }
  }

  /// The libraries that are served by name; nil in a process that serves none so.
  var directory: (any LibraryDirectory)? { addresses.directory }

  /// The moment at which a room was last used; nil for one that is closed.
  func lastUse(of key: RoomKey) -> ContinuousClock.Instant? { rooms.lastUse(of: key) }

  /// True if another room may be opened, perhaps in the place of one that nobody uses.
  var hasPlace: Bool { rooms.hasPlace }

  /// The number of rooms that are open.
  var openRoomCount: Int { rooms.openRooms.count }

  // MARK: The loop

  func admit(_ request: UpgradeRequest) -> UpgradeDecision {
    switch entrance(at: request.listener, request.base, for: request.peer.address) {
    case .closed(let status, let headers): .reject(status: status, headers: headers)
    // A peer shows its token in its hello.
    case .room(_, let room): request.route.path == NodeRoute.rpc ? room.admit(request) : .accept
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse? {
    if request.path == "/healthz" { return .text("ok\n") }
    switch addresses.subject(of: request) {
    case .answered(let response): return response
    case .process: return addresses.respondAboutProcess(to: request)
    case .library(let key, let base, let path):
      if let key { rooms[key]?.metrics.requested() }
      var request = request
      request.path = path
      return respond(to: request, beneath: base)
    }
  }

  private func respond(to request: HTTPRequest, beneath base: String) -> HTTPResponse? {
    guard Pages.owns(request.path) else {
      return page.response(to: request.path, request.headers, beneath: base)
    }
    switch entrance(at: request.listener, base, for: request.peer.address) {
    case .room(_, let room): return room.respond(to: request)
    case .closed(let status, let headers): return HTTPResponse(status: status, headers: headers)
    }
  }

  func fetch(_ target: String, for listener: ListenerID, from address: String) -> String? {
    addresses.fetch(target, for: listener, from: address)
  }

  func isFetching(_ name: String) -> Bool { directory?.isFetching(name) ?? false }

  func mayAsk(for path: String, by target: String, at listener: ListenerID) -> Bool {
    addresses.mayAsk(for: path, by: target, at: listener)
  }

  func isOpen(toOtherSites path: String) -> Bool {
    Pages.isOpen(toOtherSites: path) || Pages.isOpen(toOtherSites: LibraryPath(path).rest)
  }

  func refused(_ address: String, _ reason: ConnectionRefusal) {
    refusals.refuse(address, reason)
  }

  func connected(_ connection: ConnectionInfo) {
    if let seat = seats[connection.id] { return seat.room.connected(connection, isPeer: true) }
    let address = connection.peer.address
    guard
      case .room(let key, let room) = entrance(
        at: connection.listener,
        connection.base,
        for: address
      )
    else { return loop.close(connection.id, code: .tryAgainLater, reason: "try again later") }
    let isPeer = connection.path == NodeRoute.sync
    seats[connection.id] = Seat(key: key, room: room, isPeer: isPeer)
    room.connected(connection, isPeer: isPeer)
    heartbeat.wake(key)
  }

  func received(_ message: Message, on id: ConnectionID) {
    guard let seat = seats[id] else { return }
    guard seat.key.map(addresses.mayAnswer) ?? true else {
      return loop.close(id, code: .tryAgainLater, reason: "try again later")
    }
    seat.room.received(message, on: id, isPeer: seat.isPeer)
  }

  func drained(_ id: ConnectionID) {
    if let seat = seats[id], seat.isPeer { seat.room.drained(id) }
  }

  func failed(_ id: ConnectionID, _ failure: ConnectFailure) {
    seats.removeValue(forKey: id)?.room.failed(id, failure)
  }

  func closed(_ id: ConnectionID, _ event: CloseEvent) {
    guard let seat = seats.removeValue(forKey: id) else { return }
    seat.room.closed(id, event, isPeer: seat.isPeer)
  }

  // MARK: This process

  /// Lets the program use the room of a library.
  func use<Result>(_ key: RoomKey, _ body: (Room) throws -> Result) throws -> Result {
    let room = try room(key)
    defer { heartbeat.wake(key) }
    return try body(room)
  }

  /// Reports the commits of a job that the embedding program ran on a library's log.
  func logHasWorked(_ key: RoomKey) {
    rooms.openRoom(key)?.logHasWorked()
    heartbeat.wake(key)
  }

  /// Reads the certificates again, and says in the log what came of it.
  func reloadCertificate() { certificates.reload() }
}
